import { quote } from '../../errors/quote.ts';
import { IDENTITY_EXTRA_PREFIX, type ProxyHeaders, UnsendableHeaderError } from '../../proxy/headers.ts';
import type { UserInfo } from '../../request/user.ts';

const LEGAL_KEY = /[^!#$&'*+\-.^_`|~0-9A-Za-z]/;
const CONTROL = /[\x00-\x08\x0a-\x1f\x7f]/;

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
    const header = `${IDENTITY_EXTRA_PREFIX}${escapeKey(key.toLowerCase())}`;
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
