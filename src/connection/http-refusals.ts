import type { IncomingMessage } from 'node:http';
import { type RequestHead, shownName } from '../http2/request-head.ts';

/** Why a request is refused before it is handled; the texts are Go's where Go has one. */
export interface HttpRefusal {
  readonly status: number;
  /** The text of the status line. */
  readonly reason: string;
  readonly body: string;
}

const refusal = (status: number, reason: string, body = `${status} ${reason}`): HttpRefusal => ({
  status,
  reason,
  body,
});

/** A refusal whose body says more than its status line. */
const detailed = (status: number, reason: string, detail: string): HttpRefusal =>
  refusal(status, reason, `${status} ${reason}: ${detail}`);

const BAD_TARGET = detailed(400, 'Bad Request', 'malformed request target');
const BAD_VERSION = detailed(400, 'Bad Request', 'malformed HTTP version');
const TWO_HOSTS = detailed(400, 'Bad Request', 'more than one Host header');
const MISSING_HOST = refusal(400, 'Bad Request: missing required Host header');
const MALFORMED_HOST = refusal(400, 'Bad Request: malformed Host header');
const TOO_MANY_HEADERS = detailed(431, 'Request Header Fields Too Large', 'too many request headers');
/** CONNECT would open a tunnel. */
export const NO_TUNNEL = detailed(405, 'Method Not Allowed', 'CONNECT is not supported');
const UNKNOWN_CODING = refusal(501, 'Not Implemented', 'Unsupported transfer encoding');
const OTHER_VERSION = refusal(505, 'HTTP Version Not Supported: unsupported protocol version');

const LINE_FEED = 0x0a;
const COLON = 0x3a;
/** Bytes of a malformed header's name that are shown. */
const LONGEST_NAME = 200;

/** Characters of host names, addresses, ports and percent-encodings. */
const HOST = /^[0-9A-Za-z!$%&'()*+,\-.:;=[\]_~]*$/;

/**
 * Finds what Node's parser lets pass: two Host headers, an odd host, target or version, other codings than
 * `chunked`.
 * @param maximumHeaders the parser keeps one more than are allowed
 */
export function refusalOf(request: IncomingMessage, maximumHeaders: number): HttpRefusal | undefined {
  const { rawHeaders, httpVersion } = request;
  if (rawHeaders.length > 2 * maximumHeaders) return TOO_MANY_HEADERS;
  if (httpVersion !== '1.1' && httpVersion !== '1.0')
    return httpVersion === '0.9' ? BAD_VERSION : OTHER_VERSION;
  let hosts = 0;
  let codings = 0;
  let host = '';
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    if (name.length === 4 && name.toLowerCase() === 'host') {
      hosts++;
      host = rawHeaders[index + 1]!;
    } else if (name.length === 17 && name.toLowerCase() === 'transfer-encoding') {
      codings++;
      if (codings > 1 || rawHeaders[index + 1]!.toLowerCase() !== 'chunked') return UNKNOWN_CODING;
    }
  }
  if (hosts > 1) return TWO_HOSTS;
  if (hosts === 0 && httpVersion === '1.1') return MISSING_HOST;
  if (!HOST.test(host)) return MALFORMED_HOST;
  const target = request.url ?? '';
  const isTarget = target.startsWith('/') || target === '*' || /^https?:\/\//i.test(target);
  return isTarget ? undefined : BAD_TARGET;
}

/** An error of Node's parser: `bytesParsed` of `rawPacket` were accepted. */
export interface ParserError {
  readonly code?: string | undefined;
  readonly reason?: string;
  readonly bytesParsed?: number;
  readonly rawPacket?: Buffer;
}

/** The refusal of input that the parser does not understand. */
export function parserRefusal(error: ParserError): HttpRefusal {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return detailed(431, 'Request Header Fields Too Large', 'the request headers are too large');
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return detailed(413, 'Payload Too Large', 'the chunk extensions are too large');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return refusal(408, 'Request Timeout');
    default:
      return detailed(400, 'Bad Request', faultOf(error));
  }
}

/** Describes the error of a request, and names its header if the packet shows it. */
function faultOf({ reason = 'malformed request', bytesParsed = 0, rawPacket }: ParserError): string {
  if (rawPacket === undefined) return reason;
  const line = rawPacket.lastIndexOf(LINE_FEED, Math.max(0, bytesParsed - 1)) + 1;
  const end = rawPacket.indexOf(COLON, line);
  const length = (end < 0 ? rawPacket.length : end) - line;
  const name = rawPacket.toString('latin1', line, line + Math.min(length, LONGEST_NAME));
  // The request line is the first line of a packet.
  return line === 0 || end < 0 || !/^[^\r\n]+$/.test(name) ? reason : `${reason}: ${shownName(name)}`;
}

/** The refusal of a request over HTTP/2. */
export function http2Refusal({ refusal: fault, method }: RequestHead): HttpRefusal | undefined {
  if (fault === undefined) return method === 'CONNECT' ? NO_TUNNEL : undefined;
  return detailed(
    fault.status,
    fault.status === 400 ? 'Bad Request' : TOO_MANY_HEADERS.reason,
    fault.message,
  );
}
