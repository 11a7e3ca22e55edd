/** The head of a request, after the checks of RFC 9113, section 8. */
export interface RequestHead {
  readonly method: string;
  /** Path and query as sent; empty for CONNECT. */
  readonly path: string;
  /** `:authority`, or else the Host header; empty without both. */
  readonly authority: string;
  /**
   * name, value, name, value …: names in lower case, values with one character per byte and without white space at
   * their ends, as over HTTP/1.1; cookies are joined.
   */
  readonly fields: readonly string[];
  /** The declared length of the body in bytes. */
  readonly contentLength: number | undefined;
  readonly expectsContinue: boolean;
  /**
   * The response that the request must get: 400 if a name or a value has characters that HTTP forbids, 431 if there
   * are more fields than the limits allow.
   */
  readonly refusal: HeadRefusal | undefined;
}

/** A response instead of the handler's. */
export interface HeadRefusal {
  readonly status: 400 | 431;
  /** What is wrong, with the name of the header. */
  readonly message: string;
}

const NAME = /^[!#$%&'*+\-.^_`|~0-9a-z]+$/;
const UPPER_CASE = /[A-Z]/;
/** Control characters but tabs (RFC 9113, section 8.2.1). */
const FORBIDDEN_VALUE = /[\0-\x08\x0a-\x1f\x7f]/;
const SPACE = 0x20;
const TAB = 0x09;
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

  /** The first one with a forbidden value. */
  get forbidden(): string | undefined {
    if (!METHOD.test(this.method!)) return ':method';
    if (this.authority !== undefined && !AUTHORITY.test(this.authority)) return ':authority';
    return this.path === undefined ||
      (PATH.test(this.path) && (this.path !== '*' || this.method === 'OPTIONS'))
      ? undefined
      : ':path';
  }
}

/** The fields after the pseudo-headers, and the results of their checks. */
interface RegularFields {
  /** As the client sent them. */
  readonly sent: readonly string[];
  readonly fields: readonly string[];
  readonly host: string | undefined;
  readonly contentLength: number | undefined;
  readonly expectsContinue: boolean;
  /** What is wrong with the first forbidden one. */
  readonly fault: string | undefined;
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
      last !== undefined && areSame(last.sent, decoded, first) ? last : parseRegularFields(decoded, first);
    if (regular === undefined) return undefined;
    if (regular !== last && isSmall(regular.sent)) this.#last = regular;
    const { host } = regular;
    const authority = pseudo.authority || host || '';
    return {
      method: pseudo.method!,
      path: pseudo.path ?? '',
      authority,
      fields: regular.fields,
      contentLength: regular.contentLength,
      expectsContinue: regular.expectsContinue,
      refusal: isTruncated ? TOO_MANY : refusalOf(pseudo, regular, authority),
    };
  }
}

const TOO_MANY: HeadRefusal = { status: 431, message: 'too many request headers' };

function refusalOf(
  pseudo: Pseudo,
  { fault, host }: RegularFields,
  authority: string,
): HeadRefusal | undefined {
  const forbidden = pseudo.forbidden;
  if (forbidden !== undefined) return { status: 400, message: `malformed ${forbidden}` };
  if (fault !== undefined) return { status: 400, message: fault };
  if (host === undefined) return undefined;
  if (!AUTHORITY.test(host)) return { status: 400, message: 'malformed Host header' };
  return host.toLowerCase() === authority.toLowerCase()
    ? undefined
    : { status: 400, message: 'the Host header differs from :authority' };
}

/** Characters of a name in a message. */
const SHOWN_CHARACTERS = 100;

/** A header's name for a message; it may have any characters. */
export const shownName = (name: string): string => JSON.stringify(name.slice(0, SHOWN_CHARACTERS));

/** A value without the white space around it, which is no part of it (RFC 9110, section 5.5). */
function trimValue(value: string): string {
  let start = 0;
  let end = value.length;
  while (start < end && isWhiteSpace(value.charCodeAt(start))) start += 1;
  while (end > start && isWhiteSpace(value.charCodeAt(end - 1))) end -= 1;
  return end - start === value.length ? value : value.slice(start, end);
}

const isWhiteSpace = (code: number): boolean => code === SPACE || code === TAB;

/** Whether the fields are small enough to be kept for the lifetime of a connection. */
function isSmall(fields: readonly string[]): boolean {
  let length = 0;
  for (const text of fields) length += text.length;
  return length <= MOST_REMEMBERED;
}

/** Whether `decoded` has the same fields from index `first` on. */
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
  const sent = decoded.slice(first);
  let fields: string[] | undefined;
  let fault: string | undefined;
  let host: string | undefined;
  let length: string | undefined;
  let cookies = 0;
  let expectsContinue = false;
  let checked: Set<string> | undefined;
  for (let index = 0; index < sent.length; index += 2) {
    const name = sent[index]!;
    const value = trimValue(sent[index + 1]!);
    if (value.length !== sent[index + 1]!.length) {
      fields ??= sent.slice();
      fields[index + 1] = value;
    }
    if (!NAME.test(name)) {
      if (name.charCodeAt(0) === COLON || UPPER_CASE.test(name)) return undefined;
      fault ??= `malformed header name: ${shownName(name)}`;
    }
    if (value.length < LONG_VALUE || checked?.has(value) !== true) {
      if (fault === undefined && FORBIDDEN_VALUE.test(value))
        fault = `malformed value of the header ${shownName(name)}`;
      if (value.length >= LONG_VALUE && decoded.length >= MANY_TEXTS) {
        checked ??= new Set();
        checked.add(value);
      }
    }
    switch (name) {
      case 'host':
        if (host !== undefined && host !== value) fault ??= 'more than one Host header';
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
  fields ??= sent;
  return {
    sent,
    fields: cookies > 1 ? joinCookies(fields) : fields,
    host,
    contentLength: length === undefined ? undefined : Number(length),
    expectsContinue,
    fault,
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
