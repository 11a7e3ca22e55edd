import type { Endpoint } from './endpoint.ts';
import { createHttpClient, OutboundError } from './http-client.ts';
import { type Backoff, withRetries } from './retries.ts';

/** The largest answer that is read: a review is small. */
const MAXIMUM_ANSWER_BYTES = 1 << 20;

/** A server said no. */
export class ResponseStatusError extends OutboundError {
  override name = 'AnswerError';
  readonly status: number;
  /** It asked to come again later. */
  readonly retryAfter: boolean;

  constructor(message: string, status: number, retryAfter: boolean) {
    super(message);
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

export interface ReviewClientOptions {
  readonly endpoint: Endpoint;
  /** Milliseconds for one try. */
  readonly timeout: number;
  readonly backoff: Backoff;
  readonly sleep?: (milliseconds: number) => Promise<void>;
  readonly random?: () => number;
}

/** Posts reviews (TokenReview, SubjectAccessReview) to a webhook as JSON. */
export interface ReviewClient {
  /**
   * The answer's object. Rejects with OutboundError when every try failed; the text never has what was sent.
   */
  post(review: object): Promise<Readonly<Record<string, unknown>>>;
  close(): void;
}

const sleepReally = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds).unref();
  });

/** Makes a client that tries again where another try may help. */
export function createReviewClient({
  endpoint,
  timeout,
  backoff,
  sleep = sleepReally,
  random = Math.random,
}: ReviewClientOptions): ReviewClient {
  const client = createHttpClient(endpoint, { timeout, maximumBytes: MAXIMUM_ANSWER_BYTES });
  const path = `?timeout=${timeout / 1000}s`;
  const postOnce = async (body: Buffer): Promise<Readonly<Record<string, unknown>>> => {
    const answer = await client.send({
      method: 'POST',
      path,
      headers: { 'content-type': 'application/json', accept: 'application/json, */*' },
      body,
    });
    if (answer.status < 200 || answer.status >= 300)
      throw new ResponseStatusError(
        `the webhook answered ${answer.status}`,
        answer.status,
        answer.headers['retry-after'] !== undefined,
      );
    try {
      const value: unknown = JSON.parse(answer.body.toString('utf8'));
      if (typeof value === 'object' && value !== null && !Array.isArray(value))
        return value as Record<string, unknown>;
    } catch {
      // Said below; the text of the fault could repeat a part of the answer.
    }
    throw new OutboundError('the webhook answered something that is no JSON object');
  };
  return {
    post(review) {
      const body = Buffer.from(JSON.stringify(review));
      return withRetries(() => postOnce(body), { backoff, isTransient, sleep, random });
    },
    close: () => client.close(),
  };
}

/** Failures of the other side or of the way there: resets, 500, 504, 429, and whoever asks to come again. */
function isTransient(error: unknown): boolean {
  if (error instanceof ResponseStatusError)
    return error.retryAfter || error.status === 500 || error.status === 504 || error.status === 429;
  return error instanceof OutboundError && error.code === 'ECONNRESET';
}
