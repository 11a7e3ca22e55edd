import type { WebhookConversion } from '../../model/generated/apiextensions-v1.ts';
import type { ConversionMetrics } from '../../observability/metrics-conversion.ts';
import { OutboundError } from '../../outbound/outbound-error.ts';
import { postReview } from '../../outbound/post-review.ts';
import { formatGroupVersionKind } from '../../outbound/review-document.ts';
import {
  type WebhookTarget,
  type WebhookTargetOptions,
  webhookTarget,
} from '../../outbound/webhook-target.ts';
import { type ApiError, errors } from '../../status/index.ts';
import type { ProcessClock } from '../../time/clock.ts';
import { type Batch, nextBatch } from './batches.ts';
import { checkConverted } from './check-converted.ts';
import { ConversionFailure } from './conversion-failure.ts';
import { convertedObjects, type PlainObject, reviewVersion, writeReview } from './conversion-review.ts';

export interface WebhookConverterOptions
  extends Pick<WebhookTargetOptions, 'client' | 'resolve' | 'userAgent' | 'credentials'> {
  /** Name of the definition, for metrics. */
  readonly definition: string;
  /** `spec.conversion.webhook` of the definition. */
  readonly webhook: WebhookConversion;
  readonly metrics?: ConversionMetrics;
  readonly clock: Pick<ProcessClock, 'monotonic' | 'after'>;
  readonly uid: () => string;
}

export interface ConversionOptions {
  /** Ends the calls of this conversion. */
  readonly signal?: AbortSignal;
}

/** Milliseconds for one call. */
const CALL_TIMEOUT = 30_000;
/** Maximum bytes of one response; a request has at most about a quarter of it. */
const MAXIMUM_RESPONSE_BYTES = 8 << 20;
/** Concurrent calls of one converter, and conversions that wait for one of them. */
const MAXIMUM_CALLS = 16;
const MAXIMUM_WAITING = 256;

/** Converts objects of one definition between versions by its webhook. */
export class WebhookConverter {
  readonly #options: WebhookConverterOptions;
  readonly #version: string | undefined;
  #webhook: WebhookTarget | undefined;
  #closed = false;

  /** Does nothing yet: a definition with a wrong webhook is only reported when it is used. */
  constructor(options: WebhookConverterOptions) {
    this.#options = options;
    this.#version = reviewVersion(options.webhook.conversionReviewVersions ?? []);
  }

  /**
   * Converts objects of one kind to a version, in order. Objects of that version are returned as they are;
   * without others no call is made. Several calls follow each other when there are many objects.
   *
   * Converted objects are fresh except for their metadata, which shares parts with that of the objects given.
   * They are neither pruned, defaulted nor validated.
   *
   * Rejects with ApiError: 500 with kube-apiserver's text, or 429 when too many conversions wait for the
   * webhook.
   */
  async convert(
    objects: readonly PlainObject[],
    desiredAPIVersion: string,
    options: ConversionOptions = {},
  ): Promise<PlainObject[]> {
    const results = [...objects];
    const indexes = objects.flatMap(({ apiVersion }, index) =>
      apiVersion === desiredAPIVersion ? [] : index,
    );
    const [first] = indexes;
    if (first === undefined) return results;
    const { apiVersion } = objects[first]!;
    const started = this.#options.clock.monotonic();
    let succeeded = false;
    try {
      for (let at = 0; at < indexes.length; ) {
        const batch = await nextBatch(objects, indexes, at);
        await this.#convertBatch(batch, results, desiredAPIVersion, options);
        at += batch.indexes.length;
      }
      succeeded = true;
      return results;
    } catch (error) {
      throw apiError(error, options.signal);
    } finally {
      this.#observe(versionOf(apiVersion), versionOf(desiredAPIVersion), succeeded, started);
    }
  }

  async #convertBatch(
    { indexes, encoded }: Batch,
    results: PlainObject[],
    desiredAPIVersion: string,
    { signal }: ConversionOptions,
  ): Promise<void> {
    const { metrics, clock, uid: createUid } = this.#options;
    const { apiVersion, kind } = results[indexes[0]!]!;
    const subject = `conversion webhook for ${formatGroupVersionKind(String(apiVersion), String(kind))}`;
    const version = this.#version;
    // kube-apiserver names no webhook here either: there is nothing it could call.
    if (version === undefined) throw callFailure('no supported conversion review versions');
    const uid = createUid();
    const started = clock.monotonic();
    let failure = '';
    try {
      const document = await postReview(this.#target(subject), {
        body: writeReview(version, uid, desiredAPIVersion, encoded),
        timeout: CALL_TIMEOUT,
        signal,
        maximumBytes: MAXIMUM_RESPONSE_BYTES,
        idempotent: true,
        clock,
      }).catch((error: Error) => {
        throw callFailure(`${subject} failed: ${error.message}`, isBusy(error));
      });
      const converted = readConverted(document, version, uid, subject);
      if (converted.length !== indexes.length)
        throw new ConversionFailure(
          'conversion_webhook_partial_response_failure',
          `${subject} returned ${converted.length} objects, expected ${indexes.length}`,
        );
      const expectation = { subject, desiredAPIVersion, document };
      for (const [at, index] of indexes.entries()) {
        const position = results.length === 1 ? undefined : index;
        results[index] = checkConverted(results[index]!, converted[at], position, expectation);
      }
    } catch (error) {
      failure = error instanceof ConversionFailure ? error.kind : 'conversion_webhook_call_failure';
      throw error;
    } finally {
      const labels = [failure === '' ? 'success' : 'failure', failure];
      metrics?.conversionCalls.with(...labels).add();
      metrics?.conversionCallDuration.with(...labels).observe((clock.monotonic() - started) / 1000);
    }
  }

  #target(subject: string): WebhookTarget {
    try {
      this.#webhook ??= webhookTarget(this.#options.webhook.clientConfig ?? {}, {
        ...this.#options,
        maximumRequests: MAXIMUM_CALLS,
        maximumWaiting: MAXIMUM_WAITING,
      });
      return this.#webhook;
    } catch (error) {
      throw callFailure(`${subject} failed: ${(error as Error).message}`);
    }
  }

  #observe(from: string, to: string, succeeded: boolean, started: number): void {
    const { metrics, definition, clock } = this.#options;
    // Series of a definition that is gone would remain.
    if (from === to || this.#closed) return;
    metrics?.conversionDuration
      .with(definition, from, to, String(succeeded))
      .observe((clock.monotonic() - started) / 1000);
  }

  /** Closes connections when calls in progress have ended: the definition's webhook has changed. */
  retire(): void {
    this.#webhook?.target.retire();
  }

  /** Ends calls in progress and removes the series of the definition, which is gone. */
  close(): void {
    this.#closed = true;
    this.#webhook?.target.close();
    this.#options.metrics?.conversionDuration.remove({ crd_name: this.#options.definition });
  }
}

const callFailure = (message: string, busy = false): ConversionFailure =>
  new ConversionFailure('conversion_webhook_call_failure', message, busy);

const isBusy = (error: unknown): boolean => error instanceof OutboundError && error.code === 'EBUSY';

function readConverted(
  document: Readonly<Record<string, unknown>>,
  version: string,
  uid: string,
  subject: string,
): readonly unknown[] {
  try {
    return convertedObjects(document, version, uid);
  } catch (error) {
    throw new ConversionFailure(
      'conversion_webhook_malformed_response_failure',
      `${subject} failed: ${(error as Error).message}`,
    );
  }
}

/** The version of an apiVersion with or without a group. */
const versionOf = (apiVersion: unknown): string => String(apiVersion).split('/').at(-1)!;

const RETRY_SECONDS = 1;

function apiError(error: unknown, signal: AbortSignal | undefined): ApiError {
  const { message } = error as Error;
  // The client has disconnected or the request has timed out: this error is not sent.
  if (signal?.aborted === true) return errors.failed(message);
  return error instanceof ConversionFailure && error.isBusy
    ? errors.tooManyRequests(message, RETRY_SECONDS)
    : errors.conversionFailed(message);
}
