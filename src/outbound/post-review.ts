import { inRequestSpan, type Span } from '../observability/span.ts';
import type { ProcessClock } from '../time/clock.ts';
import { formatMilliseconds } from '../time/duration.ts';
import { OutboundError, requestError } from './outbound-error.ts';
import type { OutboundResponse } from './outbound-target.ts';
import type { ReviewDocument } from './review-document.ts';
import { readReview } from './review-response.ts';
import type { WebhookTarget } from './webhook-target.ts';

/** Calls of one review: the first one and those after a Retry-After. */
const MAXIMUM_CALLS = 11;

export interface PostReviewOptions {
  readonly body: string | Uint8Array;
  /** Milliseconds for the call, and for its repetitions; the webhook is told them. */
  readonly timeout: number;
  /** Milliseconds that the webhook is told instead. */
  readonly announcedTimeout?: number;
  readonly signal?: AbortSignal | undefined;
  readonly maximumBytes: number;
  /** The review may be sent twice. */
  readonly idempotent: boolean;
  readonly clock: Pick<ProcessClock, 'monotonic' | 'after'>;
  /** The step that the call is part of. */
  readonly span?: Span | undefined;
}

/**
 * Posts a review to a webhook and parses the response. A response 429 or 5xx with Retry-After is repeated
 * within the timeout; redirects are not followed.
 *
 * Rejects with OutboundError or ReviewDocumentError, whose messages are those of kube-apiserver after
 * `failed to call webhook: `.
 */
export async function postReview(
  { target, path }: WebhookTarget,
  options: PostReviewOptions,
): Promise<ReviewDocument> {
  const {
    body,
    timeout,
    announcedTimeout = timeout,
    signal,
    maximumBytes,
    idempotent,
    clock,
    span,
  } = options;
  const deadline = clock.monotonic() + timeout;
  const request = { method: 'POST', path: `${path}?timeout=${formatMilliseconds(announcedTimeout)}` };
  const bounds = { body, maximumBytes, idempotent, ...(signal === undefined ? {} : { signal }) };
  for (let call = 1; ; call++) {
    const response = await inRequestSpan(
      span,
      request.method,
      () => target.urlOf(request.path),
      (headers) => target.send({ ...request, ...bounds, headers, timeout: deadline - clock.monotonic() }),
    );
    const wait = retryAfter(response);
    if (wait === undefined || call === MAXIMUM_CALLS) return readReview(response);
    // Waiting for longer than the deadline would only hold the request.
    if (clock.monotonic() + wait >= deadline)
      throw requestError(
        'POST',
        target.urlOf(request.path),
        new OutboundError('context deadline exceeded', 'ETIMEDOUT'),
      );
    await pause(wait, clock, signal);
  }
}

/** Milliseconds after which the server wants the request again. */
function retryAfter({ status, headers }: OutboundResponse): number | undefined {
  const seconds = headers['retry-after'] ?? '';
  if ((status !== 429 && status < 500) || !/^\d{1,9}$/.test(seconds)) return undefined;
  return Number(seconds) * 1000;
}

function pause(
  wait: number,
  clock: Pick<ProcessClock, 'after'>,
  signal: AbortSignal | undefined,
): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      cancel();
      signal?.removeEventListener('abort', finish);
      resolve();
    };
    const cancel = clock.after(wait, finish);
    // The next call fails at once.
    signal?.addEventListener('abort', finish, { once: true });
    if (signal?.aborted === true) finish();
  });
}
