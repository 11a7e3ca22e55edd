/** A request got no valid response. The message names the server and never contains request data. */
export class OutboundError extends Error {
  override name = 'OutboundError';
  /**
   * A code of the system or of Node.js, for example `ECONNRESET`; `ETIMEDOUT` for a request that did not
   * finish in time, `ABORT_ERR` for one that its caller aborted, `EBUSY` when too many requests wait for the
   * server, `EFBIG` for a response that is longer than the limit.
   */
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

/** The error of a response that broke off after it had begun, as client-go words it. */
export const responseError = ({ text, code }: OutboundError): OutboundError =>
  new OutboundError(
    `unexpected error when reading response body. Please retry. Original error: ${text}`,
    code,
    text,
  );
