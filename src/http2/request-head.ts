/** The head of a request, after the checks of RFC 9113, section 8. */
export interface RequestHead {
  readonly method: string;
  /** Path and query as sent; empty for CONNECT. */
  readonly path: string;
  /** `:authority`, or else the Host header; empty without both. */
  readonly authority: string;
  /** name, value, name, value …: names in lower case, values with one character per byte; cookies are joined. */
  readonly fields: readonly string[];
  /** The declared length of the body in bytes. */
  readonly contentLength: number | undefined;
  readonly expectsContinue: boolean;
  /**
   * The status of the response that the request must get: 400 if a name or a value has characters that HTTP forbids,
   * 431 if there are more fields than the limits allow.
   */
  readonly refusal: 400 | 431 | undefined;
}

const NAME = /^[!#$%&'*+\-.^_`|~0-9a-z]+$/;
const UPPER_CASE = /[A-Z]/;
/** A value has no control characters but tabs, and no white space at its ends (RFC 9113, section 8.2.1). */
const FORBIDDEN_VALUE = /[\0-\x08\x0a-\x1f\x7f]|^[ \t]|[ \t]$/;
const METHOD = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** No user information, no white space, nothing of a path. */
const AUTHORITY = /^[^\0- "#/<>?@\\^`{|}\x7f-\xff]*$/;
/** A path without white space or control characters; bytes beyond ASCII are left to the layers above. */
const PATH = /^(?:\/[^\0- \x7f]*|\*)$/;
const LENGTH = /^\d{1,15}$/;
const COLON = 0x3a;

/** Fields with more characters than this are not kept for comparison with the next request. */
const MOST_REMEMBERED = 4096;

/** Fields that are about one connection (RFC 9113, section 8.2.2). */
const CONNECTION_FIELDS = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
]);

class Pseudo {
  method: string | undefined;
  scheme: string | undefined;
  authority: string | undefined;
  path: string | undefined;

  /** False for an unknown or repeated one. */
  set(name: string, value: string): boolean {
    switch (name) {
      case ':method':
        if (this.method !== undefined) return false;
        this.method = value;
        return true;
      case ':scheme':
        if (this.scheme !== undefined) return false;
        this.scheme = value;
        return true;
      case ':authority':
        if (this.authority !== undefined) return false;
        this.authority = value;
        return true;
      case ':path':
        if (this.path !== undefined) return false;
        this.path = value;
        return true;
      default:
        return false;
    }
  }

  /** Whether those are present that the method needs, and no others. */
  get isComplete(): boolean {
    if (this.method === 'CONNECT')
      return this.scheme === undefined && this.path === undefined && !!this.authority;
    return !!this.method && (this.scheme === 'https' || this.scheme === 'http') && !!this.path;
  }

  get isForbidden(): boolean {
    return (
      !METHOD.test(this.method!) ||
      (this.authority !== undefined && !AUTHORITY.test(this.authority)) ||
      (this.path !== undefined && !(PATH.test(this.path) && (this.path !== '*' || this.method === 'OPTIONS')))
    );
  }
}

/** The fields after the pseudo-headers, and the results of their checks. */
interface RegularFields {
  readonly fields: readonly string[];
  readonly host: string | undefined;
  readonly contentLength: number | undefined;
  readonly expectsContinue: boolean;
  readonly isForbidden: boolean;
}

/**
 * Checks the decoded header fields of the requests of one connection. Most requests have the same regular fields
 * as the previous one: then the results of its checks are used again, and both heads share one array of fields.
 */
export class RequestHeadParser {
  #last: RegularFields | undefined;

  /**
   * Undefined for a malformed request, whose stream must be reset with PROTOCOL_ERROR. Other faults are reported in
   * the result.
   * @param isTruncated whether there were more fields than are allowed
   */
  parse(decoded: readonly string[], isTruncated = false): RequestHead | undefined {
    const pseudo = new Pseudo();
    let first = 0;
    for (; first < decoded.length && decoded[first]!.charCodeAt(0) === COLON; first += 2)
      if (!pseudo.set(decoded[first]!, decoded[first + 1]!)) return undefined;
    if (!pseudo.isComplete) return undefined;
    const last = this.#last;
    const regular =
      last !== undefined && areSame(last.fields, decoded, first) ? last : parseRegularFields(decoded, first);
    if (regular === undefined) return undefined;
    if (regular !== last && isSmall(regular.fields)) this.#last = regular;
    const { host } = regular;
    const authority = pseudo.authority || host || '';
    const isForbidden =
      regular.isForbidden ||
      pseudo.isForbidden ||
      (host !== undefined && (host.toLowerCase() !== authority.toLowerCase() || !AUTHORITY.test(host)));
    return {
      method: pseudo.method!,
      path: pseudo.path ?? '',
      authority,
      fields: regular.fields,
      contentLength: regular.contentLength,
      expectsContinue: regular.expectsContinue,
      refusal: isTruncated ? 431 : isForbidden ? 400 : undefined,
    };
  }
}

/** Whether the fields are small enough to be kept for the lifetime of a connection. */
function isSmall(fields: readonly string[]): boolean {
  let length = 0;
  for (const text of fields) length += text.length;
  return length <= MOST_REMEMBERED;
}

/** Whether `decoded` has the same fields from index `first` on; false if cookies were joined in `fields`. */
function areSame(fields: readonly string[], decoded: readonly string[], first: number): boolean {
  if (fields.length !== decoded.length - first) return false;
  for (let index = 0; index < fields.length; index += 1)
    if (fields[index] !== decoded[first + index]) return false;
  return true;
}

/** Values from this length on are checked once each in a request that has many fields. */
const LONG_VALUE = 64;
/** Names and values from which on many of them may be references to one entry of the header table. */
const MANY_TEXTS = 64;

/** Checks the fields from index `first` on. Undefined for a malformed request. */
function parseRegularFields(decoded: readonly string[], first: number): RegularFields | undefined {
  let isForbidden = false;
  let host: string | undefined;
  let length: string | undefined;
  let cookies = 0;
  let expectsContinue = false;
  let checked: Set<string> | undefined;
  for (let index = first; index < decoded.length; index += 2) {
    const name = decoded[index]!;
    const value = decoded[index + 1]!;
    if (!NAME.test(name)) {
      if (name.charCodeAt(0) === COLON || UPPER_CASE.test(name)) return undefined;
      isForbidden = true;
    }
    if (value.length < LONG_VALUE) isForbidden ||= FORBIDDEN_VALUE.test(value);
    else if (checked?.has(value) !== true) {
      isForbidden ||= FORBIDDEN_VALUE.test(value);
      if (decoded.length >= MANY_TEXTS) {
        checked ??= new Set();
        checked.add(value);
      }
    }
    switch (name) {
      case 'host':
        if (host !== undefined && host !== value) isForbidden = true;
        host = value;
        break;
      case 'content-length':
        if (!LENGTH.test(value) || (length !== undefined && length !== value)) return undefined;
        length = value;
        break;
      case 'te':
        if (value !== 'trailers') return undefined;
        break;
      case 'cookie':
        cookies += 1;
        break;
      case 'expect':
        if (value.toLowerCase() === '100-continue') expectsContinue = true;
        break;
      default:
        if (CONNECTION_FIELDS.has(name)) return undefined;
    }
  }
  const fields = decoded.slice(first);
  return {
    fields: cookies > 1 ? joinCookies(fields) : fields,
    host,
    contentLength: length === undefined ? undefined : Number(length),
    expectsContinue,
    isForbidden,
  };
}

/** Clients split cookies for compression; they are one header for everybody else (RFC 9113, section 8.2.3). */
function joinCookies(fields: readonly string[]): string[] {
  const joined: string[] = [];
  const cookies: string[] = [];
  for (let index = 0; index < fields.length; index += 2)
    if (fields[index] === 'cookie') cookies.push(fields[index + 1]!);
    else joined.push(fields[index]!, fields[index + 1]!);
  joined.push('cookie', cookies.join('; '));
  return joined;
}

/** Whether the fields of trailers are well-formed: no pseudo-header, no upper case. */
export function areTrailersValid(decoded: readonly string[]): boolean {
  for (let index = 0; index < decoded.length; index += 2)
    if (decoded[index]!.charCodeAt(0) === COLON || UPPER_CASE.test(decoded[index]!)) return false;
  return true;
}
