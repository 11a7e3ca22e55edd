import { BinnacleError } from '../../errors/binnacle-error.ts';
import type { Endpoint } from '../../outbound/endpoint.ts';
import { createHttpClient } from '../../outbound/http-client.ts';
import type { OutboundClient } from '../../outbound/outbound-client.ts';
import { OutboundError } from '../../outbound/outbound-error.ts';
import { WEBHOOK_BACKOFF, withRetries } from '../../outbound/retries.ts';
import { statusText } from '../../outbound/status-text.ts';
import { formatMilliseconds } from '../../time/duration.ts';
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
const MAXIMUM_QUOTED_LENGTH = 1024;

const defaultSleep = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds).unref();
  });

/** Creates a client that retries transient failures of the webhook or the connection. */
export function createAccessReviewClient(options: AccessReviewClientOptions): AccessReviewClient {
  const {
    endpoint,
    client,
    timeout,
    version,
    userAgent,
    observe,
    sleep = defaultSleep,
    random = Math.random,
  } = options;
  const http = createHttpClient(endpoint, { timeout, maximumBytes: MAXIMUM_RESPONSE_BYTES }, client);
  const path = `?timeout=${formatMilliseconds(timeout)}`;
  const url = JSON.stringify(endpoint.server.replace(/\/$/, '') + path);
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, */*',
    'user-agent': userAgent,
  };

  const attempt = async (body: Buffer): Promise<ReviewStatus> => {
    const startedAt = performance.now();
    const finish = (result: AttemptResult) => observe(result, (performance.now() - startedAt) / 1000);
    try {
      const {
        status,
        headers: received,
        body: content,
      } = await http.send({ method: 'POST', path, headers, body });
      if (status < 200 || status > 206)
        throw statusError(status, content.toString(), received['retry-after'] !== undefined);
      const decision = parseResponse(content, version);
      finish('success');
      return decision;
    } catch (error) {
      const known = error instanceof WebhookError ? error : connectionError(url, error);
      finish(known.result);
      throw known;
    }
  };
  return {
    review(spec) {
      const body = Buffer.from(JSON.stringify(reviewDocument(spec, version)));
      const isTransient = (error: unknown) => error instanceof WebhookError && error.isTransient;
      return withRetries(() => attempt(body), { backoff: WEBHOOK_BACKOFF, isTransient, sleep, random });
    },
    close: () => http.close(),
  };
}

function parseResponse(content: Buffer, version: ReviewVersion): ReviewStatus {
  let response: unknown;
  try {
    response = JSON.parse(content.toString());
  } catch {
    const detail =
      content.length === 0
        ? 'unexpected end of JSON input'
        : `invalid character ${quoted(content.toString())} looking for beginning of value`;
    throw new WebhookError(`couldn't get version/kind; json parse error: ${detail}`, 'error', false);
  }
  try {
    if (typeof response !== 'object' || response === null || Array.isArray(response))
      throw new Error('the response of the webhook is not an object');
    return readReviewStatus(response as Record<string, unknown>, version);
  } catch (error) {
    throw new WebhookError((error as Error).message, 'error', false);
  }
}

const quoted = (text: string): string => `'${String.fromCodePoint(text.trimStart().codePointAt(0) ?? 0)}'`;

function statusError(status: number, content: string, retryAfter: boolean): WebhookError {
  const quotedContent =
    content.length > MAXIMUM_QUOTED_LENGTH ? `${content.slice(0, MAXIMUM_QUOTED_LENGTH)}…` : content;
  return new WebhookError(
    statusText(status, quotedContent),
    status === 504 ? 'timeout' : 'error',
    retryAfter || status === 429 || status === 500 || status === 504,
  );
}

function connectionError(url: string, error: unknown): WebhookError {
  const { code, text } =
    error instanceof OutboundError ? error : { code: undefined, text: (error as Error).message };
  if (code === 'ETIMEDOUT')
    return new WebhookError(
      `Post ${url}: context deadline exceeded (Client.Timeout exceeded while awaiting headers)`,
      'timeout',
      false,
    );
  return new WebhookError(`Post ${url}: ${text}`, 'error', code === 'ECONNRESET');
}
