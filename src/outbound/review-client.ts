import { pause } from '../time/pause.ts';
import type { Endpoint } from './endpoint.ts';
import { createHttpClient } from './http-client.ts';
import type { OutboundClient } from './outbound-client.ts';
import { OutboundError } from './outbound-error.ts';
import { type Backoff, withRetries } from './retries.ts';
import { readReview } from './review-response.ts';

/** Maximum size of a response: reviews are small. */
const MAXIMUM_RESPONSE_BYTES = 1 << 20;

const JSON_TYPE = { 'content-type': 'application/json' };

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
   * Resolves with the response object. Rejects with OutboundError when every attempt failed, with the messages
   * of {@link readReview}; they do not quote text of the response.
   */
  post(review: object): Promise<Readonly<Record<string, unknown>>>;
  close(): void;
}

/** Creates a client that retries transient failures. */
export function createReviewClient({
  endpoint,
  client: connections,
  timeout,
  backoff,
  sleep = pause,
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
    try {
      // The text of a failure could quote the token that was sent: only that of JSON is repeated.
      return await readReview({ ...response, headers: JSON_TYPE });
    } catch (error) {
      const { status, headers } = response;
      const { message } = error as Error;
      throw status < 200 || status > 206
        ? new ResponseStatusError(message, status, headers['retry-after'] !== undefined)
        : new OutboundError(message);
    }
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
