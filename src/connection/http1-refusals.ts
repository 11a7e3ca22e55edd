import type { IncomingMessage } from 'node:http';

/** Why a request is refused before it is handled; the texts are Go's. */
export interface Http1Refusal {
  readonly status: number;
  /** The text of the status line. */
  readonly reason: string;
  readonly body: string;
}

const refusal = (status: number, reason: string, body = `${status} ${reason}`): Http1Refusal => ({
  status,
  reason,
  body,
});

const BAD_REQUEST = refusal(400, 'Bad Request');
const MISSING_HOST = refusal(400, 'Bad Request: missing required Host header');
const MALFORMED_HOST = refusal(400, 'Bad Request: malformed Host header');
const TOO_MANY_HEADERS = refusal(431, 'Request Header Fields Too Large');
const UNKNOWN_CODING = refusal(501, 'Not Implemented', 'Unsupported transfer encoding');
const OTHER_VERSION = refusal(505, 'HTTP Version Not Supported: unsupported protocol version');

/** Characters of host names, addresses, ports and percent-encodings. */
const HOST = /^[0-9A-Za-z!$%&'()*+,\-.:;=[\]_~]*$/;

/**
 * Finds what Node's parser lets pass: two Host headers, an odd host, target or version, other codings than
 * `chunked`.
 * @param maximumHeaders the parser keeps one more than are allowed
 */
export function refusalOf(request: IncomingMessage, maximumHeaders: number): Http1Refusal | undefined {
  const { rawHeaders, httpVersion } = request;
  if (rawHeaders.length > 2 * maximumHeaders) return TOO_MANY_HEADERS;
  if (httpVersion !== '1.1' && httpVersion !== '1.0')
    return httpVersion === '0.9' ? BAD_REQUEST : OTHER_VERSION;
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
  if (hosts > 1) return BAD_REQUEST;
  if (hosts === 0 && httpVersion === '1.1') return MISSING_HOST;
  if (!HOST.test(host)) return MALFORMED_HOST;
  const target = request.url ?? '';
  const isTarget = target.startsWith('/') || target === '*' || /^https?:\/\//i.test(target);
  return isTarget ? undefined : BAD_REQUEST;
}

/** The refusal of input that the parser does not understand. @param code of the parser's error */
export function parserRefusal(code: string | undefined): Http1Refusal {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return TOO_MANY_HEADERS;
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return refusal(413, 'Payload Too Large');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return refusal(408, 'Request Timeout');
    default:
      return BAD_REQUEST;
  }
}
