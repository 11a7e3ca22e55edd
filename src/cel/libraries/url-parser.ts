/** A URL as parsed by the reference. */
export interface ParsedUrl {
  readonly scheme: string;
  /** With the port, without userinfo. */
  readonly host: string;
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
}

/** Parses an absolute URI or an absolute path without its fragment; a returned string is the error. */
export function parseUrl(text: string): ParsedUrl | string {
  // The whole text must be valid as the target of a request, where a fragment would belong to path or query.
  const whole = parseTarget(text);
  const hash = text.indexOf('#');
  if (hash < 0 || typeof whole === 'string') return whole;
  const wrong = escapeError(text.slice(hash + 1));
  return wrong === undefined ? parseTarget(text.slice(0, hash)) : `parse ${quote(text)}: ${wrong}`;
}

function parseTarget(text: string): ParsedUrl | string {
  const failed = (why: string): string => `parse ${quote(text)}: ${why}`;
  if (/[\u0000-\u001f\u007f]/.test(text)) return failed('net/url: invalid control character in URL');
  if (text === '') return failed('empty url');
  if (text === '*') return { scheme: '', host: '', path: '*', query: '' };
  if (text.startsWith(':')) return failed('missing protocol scheme');
  const scheme = /^([a-zA-Z][a-zA-Z0-9+.-]*):/.exec(text)?.[1] ?? '';
  const afterScheme = scheme === '' ? text : text.slice(scheme.length + 1);
  const mark = afterScheme.indexOf('?');
  const query = mark < 0 ? '' : afterScheme.slice(mark + 1);
  let rest = mark < 0 ? afterScheme : afterScheme.slice(0, mark);
  if (!rest.startsWith('/')) {
    if (scheme !== '') return { scheme: scheme.toLowerCase(), host: '', path: '', query };
    return failed('invalid URI for request');
  }
  let host = '';
  if (scheme !== '' && rest.startsWith('//')) {
    const slash = rest.indexOf('/', 2);
    const authority = slash < 0 ? rest.slice(2) : rest.slice(2, slash);
    rest = slash < 0 ? '' : rest.slice(slash);
    const at = authority.lastIndexOf('@');
    if (at >= 0 && !/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(authority.slice(0, at)))
      return failed('net/url: invalid userinfo');
    host = authority.slice(at + 1);
    const wrong = hostError(host) ?? escapeError(authority.slice(0, Math.max(at, 0)));
    if (wrong !== undefined) return failed(wrong);
  }
  const wrong = escapeError(rest);
  if (wrong !== undefined) return failed(wrong);
  return { scheme: scheme.toLowerCase(), host: unescapeHost(host), path: rest, query };
}

/** A text in double quotes as errors print it. */
export function quote(text: string): string {
  return JSON.stringify(text).replace(/[\u007f]/g, '\\x7f');
}

function hostError(host: string): string | undefined {
  const bracket = host.startsWith('[') ? host.lastIndexOf(']') : -1;
  if (host.startsWith('[') && bracket < 0) return "missing ']' in host";
  const rest = bracket >= 0 ? host.slice(bracket + 1) : host.slice(Math.max(host.lastIndexOf(':'), 0));
  if (bracket >= 0 || host.includes(':'))
    if (!/^(?::\d*)?$/.test(rest)) return `invalid port ${quote(rest)} after host`;
  const malformed = escapeError(host);
  if (malformed !== undefined) return malformed;
  const character = /[\s<>"\\^`{|}#]/u.exec(host)?.[0];
  if (character !== undefined && !(bracket >= 0 && '<>"'.includes(character)))
    return `invalid character ${quote(character)} in host name`;
  return undefined;
}

function escapeError(text: string): string | undefined {
  const bad = /%(?![0-9a-fA-F]{2})(.{0,2})/su.exec(text);
  return bad === null ? undefined : `invalid URL escape ${quote(`%${bad[1]}`)}`;
}

function unescapeHost(host: string): string {
  return host.includes('%') ? decode(host) : host;
}

/** A text with its escapes decoded; invalid UTF-8 becomes replacement characters. */
function decode(text: string): string {
  const bytes = Buffer.from(text);
  const decoded: number[] = [];
  for (let index = 0; index < bytes.length; index++) {
    const escaped = bytes[index] === 0x25;
    decoded.push(
      escaped ? Number.parseInt(bytes.toString('latin1', index + 1, index + 3), 16) : bytes[index]!,
    );
    if (escaped) index += 2;
  }
  return Buffer.from(decoded).toString('utf8');
}

/** The host without port and brackets. */
export function hostnameOf(host: string): string {
  if (host.startsWith('[')) return host.slice(1, host.lastIndexOf(']'));
  const colon = host.lastIndexOf(':');
  return colon >= 0 && /^\d*$/.test(host.slice(colon + 1)) ? host.slice(0, colon) : host;
}

/** The port; '' when there is none. */
export function portOf(host: string): string {
  return /:(\d*)$/.exec(host.startsWith('[') ? host.slice(host.lastIndexOf(']') + 1) : host)?.[1] ?? '';
}

/** The path with all required escapes; a validly escaped path is kept as written. */
export function escapedPath(path: string): string {
  if (/^[A-Za-z0-9\-_.~!$&'()*+,;=:@/[\]%]*$/.test(path)) return path;
  return Array.from(Buffer.from(decode(path)), (byte) => {
    const character = String.fromCharCode(byte);
    return /[A-Za-z0-9\-_.~$&+,/:;=@]/.test(character)
      ? character
      : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }).join('');
}

/** The query parameters in order, values by name; parameters that cannot be decoded are dropped. */
export function queryOf(query: string): Map<string, string[]> {
  const members = new Map<string, string[]>();
  for (const member of query.split('&')) {
    if (member === '' || member.includes(';') || escapeError(member) !== undefined) continue;
    const equals = member.indexOf('=');
    const [name, value] = equals < 0 ? [member, ''] : [member.slice(0, equals), member.slice(equals + 1)];
    const key = decode(name.replaceAll('+', ' '));
    const values = members.get(key) ?? [];
    values.push(decode(value.replaceAll('+', ' ')));
    members.set(key, values);
  }
  return members;
}
