import { BinnacleError } from '../errors/binnacle-error.ts';

/** Header values by name, as the outbound client takes them. */
export type ProxyHeaders = Record<string, string | string[]>;

/** Begins the headers in which this server tells others the extra values of a user. */
export const IDENTITY_EXTRA_PREFIX = 'x-remote-extra-';

/** A header value that HTTP cannot transport. */
export class UnsendableHeaderError extends BinnacleError {
  override name = 'UnsendableHeaderError';
  readonly code = 'ERR_BINNACLE_UNSENDABLE_HEADER';
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
const REPLACED_PREFIXES = [IDENTITY_EXTRA_PREFIX, 'impersonate-extra-'];

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
