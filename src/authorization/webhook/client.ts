import { BinnacleError } from '../../errors/binnacle-error.ts';
import type { Endpoint } from '../../outbound/endpoint.ts';
import { createHttpClient } from '../../outbound/http-client.ts';
import type { OutboundClient } from '../../outbound/outbound-client.ts';
import { OutboundError } from '../../outbound/outbound-error.ts';
import type { OutboundResponse } from '../../outbound/outbound-target.ts';
import { WEBHOOK_BACKOFF, withRetries } from '../../outbound/retries.ts';
import { readReview } from '../../outbound/review-response.ts';
import { processClock } from '../../time/clock.ts';
import { formatMilliseconds } from '../../time/duration.ts';
import { pause } from '../../time/pause.ts';
import {
  type ReviewSpec,
  type ReviewStatus,
  type ReviewVersion,
  readReviewStatus,
  reviewDocument,
} from './review.ts';

/** Outcome of one webhook call. */
export type AttemptResult = 'success' | 'timeout' | 'error';

/** A webhook call failed. */
export class WebhookError extends BinnacleError {
  override name = 'WebhookError';
  readonly code = 'ERR_BINNACLE_WEBHOOK';
  constructor(
    message: string,
    /** Outcome of the last attempt. */
    readonly result: Exclude<AttemptResult, 'success'>,
    readonly isTransient: boolean,
  ) {
    super(message);
  }
}

export interface AccessReviewClientOptions {
  readonly endpoint: Endpoint;
  readonly client: OutboundClient;
  /** Milliseconds for one attempt. */
  readonly timeout: number;
  readonly version: ReviewVersion;
  /** What the release writes as empty metadata. */
  readonly metadata: object;
  readonly userAgent: string;
  /** Called for each attempt with its duration. */
  observe(result: AttemptResult, seconds: number): void;
  readonly sleep?: (milliseconds: number) => Promise<void>;
  readonly random?: () => number;
}

/** Sends access reviews to a webhook. */
export interface AccessReviewClient {
  /** Rejects with WebhookError when every attempt failed. */
  review(spec: ReviewSpec): Promise<ReviewStatus>;
  close(): void;
}

const MAXIMUM_RESPONSE_BYTES = 1 << 20;

/** Creates a client that retries transient failures of the webhook or the connection. */
export function createAccessReviewClient(options: AccessReviewClientOptions): AccessReviewClient {
  const {
    endpoint,
    client,
    timeout,
    version,
    metadata,
    userAgent,
    observe,
    sleep = pause,
    random = Math.random,
  } = options;
  const http = createHttpClient(endpoint, { timeout, maximumBytes: MAXIMUM_RESPONSE_BYTES }, client);
  const path = `?timeout=${formatMilliseconds(timeout)}`;
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, */*',
    'user-agent': userAgent,
  };

  const attempt = async (body: Buffer): Promise<ReviewStatus> => {
    const startedAt = processClock.monotonic();
    const finish = (result: AttemptResult) => observe(result, (processClock.monotonic() - startedAt) / 1000);
    try {
      const decision = await readDecision(await http.send({ method: 'POST', path, headers, body }), version);
      finish('success');
      return decision;
    } catch (error) {
      const known = error instanceof WebhookError ? error : connectionError(error as Error);
      finish(known.result);
      throw known;
    }
  };
  return {
    review(spec) {
      const body = Buffer.from(JSON.stringify(reviewDocument(spec, version, metadata)));
      const isTransient = (error: unknown) => error instanceof WebhookError && error.isTransient;
      return withRetries(() => attempt(body), { backoff: WEBHOOK_BACKOFF, isTransient, sleep, random });
    },
    close: () => http.close(),
  };
}

/** Reads the decision of a response. @throws WebhookError unless it is a SubjectAccessReview of the version */
async function readDecision(response: OutboundResponse, version: ReviewVersion): Promise<ReviewStatus> {
  try {
    return readReviewStatus(await readReview(response), version);
  } catch (error) {
    const { status, headers } = response;
    const isFailure = status < 200 || status > 206;
    const isTransient = headers['retry-after'] !== undefined || TRANSIENT.has(status);
    throw new WebhookError(
      (error as Error).message,
      status === 504 ? 'timeout' : 'error',
      isFailure && isTransient,
    );
  }
}

const TRANSIENT: ReadonlySet<number> = new Set([429, 500, 504]);

function connectionError(error: Error): WebhookError {
  const code = error instanceof OutboundError ? error.code : undefined;
  if (code === 'ETIMEDOUT') {
    const place = error.message.startsWith('Post ')
      ? '(Client.Timeout exceeded while awaiting headers)'
      : '(Client.Timeout or context cancellation while reading body)';
    return new WebhookError(`${error.message} ${place}`, 'timeout', false);
  }
  return new WebhookError(error.message, 'error', code === 'ECONNRESET');
}
