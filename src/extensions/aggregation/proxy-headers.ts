import { BinnacleError } from '../../errors/binnacle-error.ts';
import { quote } from '../../errors/quote.ts';
import type { UserInfo } from '../../request/user.ts';

/** Header values by name, as the outbound client takes them. */
export type ProxyHeaders = Record<string, string | string[]>;

const EXTRA_PREFIX = 'x-remote-extra-';
const LEGAL_KEY = /[^!#$&'*+\-.^_`|~0-9A-Za-z]/;
const CONTROL = /[\x00-\x08\x0a-\x1f\x7f]/;

/** A header value that HTTP cannot transport. */
export class UnsendableHeaderError extends BinnacleError {
  override name = 'UnsendableHeaderError';
  readonly code = 'ERR_BINNACLE_UNSENDABLE_HEADER';
}

/** The headers that tell an extension server the user of a request. @throws UnsendableHeaderError */
export function identityHeaders({
  name,
  uid = '',
  groups,
  extra,
}: Omit<UserInfo, 'uid'> & { readonly uid?: string }): ProxyHeaders {
  const headers: ProxyHeaders = Object.create(null);
  headers['x-remote-user'] = headerValue('X-Remote-User', name);
  if (uid !== '') headers['x-remote-uid'] = headerValue('X-Remote-Uid', uid);
  if (groups.length > 0)
    headers['x-remote-group'] = groups.map((group) => headerValue('X-Remote-Group', group));
  for (const [key, values] of extra) {
    const header = `${EXTRA_PREFIX}${escapeKey(key.toLowerCase())}`;
    headers[header] = values.map((value) => headerValue(header, value));
  }
  return headers;
}

/** Percent-encodes the bytes of a key that a header name cannot contain. */
function escapeKey(key: string): string {
  if (!LEGAL_KEY.test(key)) return key;
  let escaped = '';
  for (const byte of Buffer.from(key, 'utf8')) {
    const character = String.fromCharCode(byte);
    escaped += LEGAL_KEY.test(character) ? `%${byte.toString(16).padStart(2, '0')}` : character;
  }
  return escaped;
}

/** UTF-8 bytes as Latin-1, which is how Node.js writes headers. */
function headerValue(header: string, value: string): string {
  if (CONTROL.test(value))
    throw new UnsendableHeaderError(`net/http: invalid header field value for ${quote(header)}`);
  return Buffer.from(value, 'utf8').toString('latin1');
}

/** Headers of one connection only. */
const HOP_BY_HOP = new Set([
  'connection',
  'proxy-connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'http2-settings',
]);

/**
 * Headers that only this server may set, and those that were meant for it: credentials and impersonation.
 */
const REPLACED = new Set([
  'host',
  'authorization',
  'expect',
  'x-remote-user',
  'x-remote-uid',
  'x-remote-group',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-forwarded-uri',
  'impersonate-user',
  'impersonate-uid',
  'impersonate-group',
  'audit-id',
]);
const REPLACED_PREFIXES = [EXTRA_PREFIX, 'impersonate-extra-'];

const isReplaced = (name: string): boolean =>
  REPLACED.has(name) || REPLACED_PREFIXES.some((prefix) => name.startsWith(prefix));

/** The names that a Connection header lists. */
export const listedNames = (connection: string | undefined): ReadonlySet<string> =>
  new Set((connection ?? '').split(',').map((name) => name.trim().toLowerCase()));

/** Whether a response header is for this connection only. */
export const isHopByHop = (name: string, listed: ReadonlySet<string>): boolean =>
  HOP_BY_HOP.has(name) || listed.has(name);

/** A bearer token that a browser sends as a subprotocol. */
const TOKEN_PROTOCOL = 'base64url.bearer.authorization.k8s.io.';

/** The request headers that are passed on as they came. */
export function passedHeaders(headers: Iterable<readonly [string, string]>): ProxyHeaders {
  const received = [...headers];
  const listed = listedNames(
    received
      .filter(([name]) => name === 'connection')
      .map(([, value]) => value)
      .join(','),
  );
  const passed: ProxyHeaders = Object.create(null);
  for (const [name, value] of received) {
    if (isReplaced(name)) continue;
    if (isHopByHop(name, listed) && !(name === 'te' && value.trim().toLowerCase() === 'trailers')) continue;
    const sent = name === 'sec-websocket-protocol' ? withoutToken(value) : value;
    if (sent === undefined) continue;
    const known = passed[name];
    if (known === undefined) passed[name] = sent;
    // HTTP/2 clients may split this header.
    else if (name === 'cookie') passed[name] = `${known}; ${sent}`;
    else passed[name] = Array.isArray(known) ? [...known, sent] : [known, sent];
  }
  return passed;
}

function withoutToken(protocols: string): string | undefined {
  if (!protocols.includes(TOKEN_PROTOCOL)) return protocols;
  const kept = protocols
    .split(',')
    .map((protocol) => protocol.trim())
    .filter((protocol) => protocol !== '' && !protocol.startsWith(TOKEN_PROTOCOL));
  return kept.length === 0 ? undefined : kept.join(', ');
}
