import { isJsonObject } from '../model/json-object.ts';
import type { Endpoint } from './endpoint.ts';
import { createHttpClient } from './http-client.ts';
import type { OutboundClient } from './outbound-client.ts';
import { OutboundError } from './outbound-error.ts';
import { type Backoff, withRetries } from './retries.ts';

/** Maximum size of a response: reviews are small. */
const MAXIMUM_RESPONSE_BYTES = 1 << 20;

/** A server responded with an error status. */
export class ResponseStatusError extends OutboundError {
  override name = 'AnswerError';
  readonly status: number;
  /** The response has a Retry-After header. */
  readonly retryAfter: boolean;

  constructor(message: string, status: number, retryAfter: boolean) {
    super(message);
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

export interface ReviewClientOptions {
  readonly endpoint: Endpoint;
  readonly client: OutboundClient;
  /** Milliseconds for one attempt. */
  readonly timeout: number;
  readonly backoff: Backoff;
  readonly sleep?: (milliseconds: number) => Promise<void>;
  readonly random?: () => number;
}

/** Posts reviews (TokenReview, SubjectAccessReview) to a webhook as JSON. */
export interface ReviewClient {
  /**
   * Resolves with the response object. Rejects with OutboundError when every attempt failed; the message
   * never contains request data.
   */
  post(review: object): Promise<Readonly<Record<string, unknown>>>;
  close(): void;
}

const defaultSleep = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds).unref();
  });

/** Creates a client that retries transient failures. */
export function createReviewClient({
  endpoint,
  client: connections,
  timeout,
  backoff,
  sleep = defaultSleep,
  random = Math.random,
}: ReviewClientOptions): ReviewClient {
  const client = createHttpClient(endpoint, { timeout, maximumBytes: MAXIMUM_RESPONSE_BYTES }, connections);
  const path = `?timeout=${timeout / 1000}s`;
  const postOnce = async (body: Buffer): Promise<Readonly<Record<string, unknown>>> => {
    const response = await client.send({
      method: 'POST',
      path,
      headers: { 'content-type': 'application/json', accept: 'application/json, */*' },
      body,
    });
    if (response.status < 200 || response.status >= 300)
      throw new ResponseStatusError(
        `the webhook responded with status ${response.status}`,
        response.status,
        response.headers['retry-after'] !== undefined,
      );
    try {
      const value: unknown = JSON.parse(response.body.toString('utf8'));
      if (isJsonObject(value)) return value;
    } catch {
      // Reported below; the parser's message could quote the response.
    }
    throw new OutboundError('the response of the webhook is not a JSON object');
  };
  return {
    post(review) {
      const body = Buffer.from(JSON.stringify(review));
      return withRetries(() => postOnce(body), { backoff, isTransient, sleep, random });
    },
    close: () => client.close(),
  };
}

/** Transient failures: connection resets, 429, 500, 504 and responses with Retry-After. */
function isTransient(error: unknown): boolean {
  if (error instanceof ResponseStatusError)
    return error.retryAfter || error.status === 500 || error.status === 504 || error.status === 429;
  return error instanceof OutboundError && error.code === 'ECONNRESET';
}
