import type { WebhookMetrics } from '../../observability/metrics-admission.ts';
import type { AdmissionRequest } from '../../request/admission.ts';
import { ApiError } from '../../status/api-error.ts';
import type { ProcessClock } from '../../time/clock.ts';
import type { WebhookType } from './compiled-webhook.ts';
import { WebhookCallError, WebhookDenial } from './failures.ts';

/** Status codes above it share a series. */
const HIGHEST_CODE = 600;

/** Records one call in the metrics. @param error the reason why the request is denied or the call failed */
export function observeCall(
  { webhookDuration, webhookRequests, webhookRejections }: WebhookMetrics,
  type: WebhookType,
  { webhook, failsClosed, operation }: { webhook: string; failsClosed: boolean; operation: string },
  seconds: number,
  error: unknown,
): void {
  const { kind, code } = outcomeOf(error);
  const isCallError = error instanceof WebhookCallError;
  const rejected = error !== undefined && (!isCallError || failsClosed);
  webhookDuration.with(webhook, type, operation, String(rejected)).observe(seconds);
  webhookRequests.with(webhook, type, operation, String(code), String(rejected)).add();
  // A disconnected client does not count as a rejection by the webhook.
  if (!rejected || (isCallError && error.wasAborted)) return;
  webhookRejections.with(webhook, type, operation, kind, String(code)).add();
}

/** The kind and code of a call: whatever is neither a denial nor a failed call is an error of the server. */
function outcomeOf(error: unknown): { readonly kind: string; readonly code: number } {
  if (error === undefined) return { kind: 'no_error', code: 200 };
  if (error instanceof WebhookCallError) return { kind: 'calling_webhook_error', code: error.statusCode };
  if (error instanceof WebhookDenial) return { kind: 'no_error', code: Math.min(error.code, HIGHEST_CODE) };
  return { kind: 'apiserver_internal_error', code: 0 };
}

/** Milliseconds for the time-out filter to answer a request whose deadline has passed. */
const FILTER_WAIT = 2000;
/** Timers are not exact: a call that times out at the deadline may return this many milliseconds before it. */
const TIMER_TOLERANCE = 20;

/**
 * Ends a request whose deadline has passed while a webhook was asked: the filter answers it, whatever the
 * failure policy says. Rejects with ApiError 504.
 */
export async function checkDeadline(
  { deadline, signal }: AdmissionRequest,
  clock: Pick<ProcessClock, 'monotonic' | 'after'>,
): Promise<void> {
  if (!signal.aborted && clock.monotonic() < deadline - TIMER_TOLERANCE) return;
  if (!signal.aborted)
    await new Promise<void>((resolve) => {
      const cancel = clock.after(FILTER_WAIT, resolve);
      signal.addEventListener(
        'abort',
        () => {
          cancel();
          resolve();
        },
        { once: true },
      );
    });
  throw new ApiError(504, 'Timeout', 'Timeout: request did not complete within requested timeout', {});
}
