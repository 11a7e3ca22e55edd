/** Error codes of the client itself; other codes are those of the system and of Node.js. */
export type OutboundCode =
  /** The request did not finish in time. */
  | 'ETIMEDOUT'
  /** The caller aborted the request. */
  | 'ABORT_ERR'
  /** Too many requests wait for this server. */
  | 'EBUSY'
  /** The response is longer than the limit. */
  | 'EFBIG';

/** A request got no valid response. The message names the server and never contains request data. */
export class OutboundError extends Error {
  override name = 'OutboundError';
  /** An {@link OutboundCode} or a system error code, for example `ECONNRESET`. */
  readonly code: string | undefined;
  /** The cause alone, without method and URL, in the words of Go's HTTP client. */
  readonly text: string;

  constructor(message: string, code?: string, text = message) {
    super(message);
    this.code = code;
    this.text = text;
  }
}

/** Names the request in an error, as Go's HTTP client does: `Post "https://a.test/x": EOF`. */
export function requestError(method: string, url: string, cause: OutboundError): OutboundError {
  const verb = `${method.slice(0, 1)}${method.slice(1).toLowerCase()}`;
  return new OutboundError(`${verb} ${JSON.stringify(url)}: ${cause.text}`, cause.code, cause.text);
}
