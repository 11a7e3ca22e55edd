import { quote } from '../../errors/quote.ts';
/** The scheme of a URL. */
export const SCHEME = /^([A-Za-z][A-Za-z0-9+.-]*):/;

const USER_INFO = /^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/;
const HOST = /[^A-Za-z0-9\-._~!$&'()*+,;=:[\]<>"%\u0080-\uffff]/;

/** Returns why a text is no URL reference (RFC 3986); undefined if it is one. Linear in the text. */
export function urlError(text: string): string | undefined {
  const mark = text.indexOf('#');
  const url = mark < 0 ? text : text.slice(0, mark);
  const error = errorBeforeFragment(url);
  if (error !== undefined) return `parse ${quote(url)}: ${error}`;
  const inFragment = mark < 0 ? undefined : escapeError(text.slice(mark + 1));
  return inFragment === undefined ? undefined : `parse ${quote(text)}: ${inFragment}`;
}

function errorBeforeFragment(url: string): string | undefined {
  if (/[\u0000-\u001f\u007f]/.test(url)) return 'net/url: invalid control character in URL';
  if (url === '*') return undefined;
  if (url.startsWith(':')) return 'missing protocol scheme';
  const scheme = SCHEME.exec(url)?.[0] ?? '';
  const rest = url.slice(scheme.length).split('?', 1)[0]!;
  if (!rest.startsWith('/')) {
    const isColonInPath = scheme === '' && rest.split('/', 1)[0]!.includes(':');
    if (isColonInPath) return 'first path segment in URL cannot contain colon';
    return scheme === '' ? escapeError(rest) : undefined;
  }
  if (!rest.startsWith('//') || (scheme === '' && rest.startsWith('///'))) return escapeError(rest);
  const authority = rest.slice(2).split('/', 1)[0]!;
  return authorityError(authority) ?? escapeError(rest.slice(2 + authority.length));
}

function authorityError(authority: string): string | undefined {
  const at = authority.lastIndexOf('@');
  const user = authority.slice(0, Math.max(at, 0));
  const inHost = hostError(authority.slice(at + 1));
  if (inHost !== undefined) return inHost;
  return USER_INFO.test(user) ? escapeError(user) : 'net/url: invalid userinfo';
}

function hostError(host: string): string | undefined {
  const isBracketed = host.startsWith('[');
  const end = isBracketed ? host.lastIndexOf(']') : host.lastIndexOf(':') - 1;
  if (isBracketed && end < 0) return "missing ']' in host";
  const port = isBracketed || end >= -1 ? host.slice(end + 1) : '';
  if (!/^(:[0-9]*)?$/.test(port)) return `invalid port ${quote(port)} after host`;
  // Only bytes above 127 are escaped in hosts; and `%25`, before the zone of an address.
  const ascii = /%(?!25)[0-7][0-9A-Fa-f]/.exec(host)?.[0];
  const wrong = escapeError(host);
  if (wrong !== undefined) return wrong;
  if (ascii !== undefined && !isBracketed) return `invalid URL escape ${quote(ascii)}`;
  const character = HOST.exec(host)?.[0];
  return character === undefined ? undefined : `invalid character ${quote(character)} in host name`;
}

function escapeError(text: string): string | undefined {
  const bad = /%(?![0-9A-Fa-f]{2}).{0,2}/s.exec(text)?.[0];
  return bad === undefined ? undefined : `invalid URL escape ${quote(bad)}`;
}
