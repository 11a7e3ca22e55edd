import { processClock } from '../time/clock.ts';
import type { AuditBackend, ReportLoss } from './backend.ts';
import type { AuditEvent } from './event.ts';

export interface BatchOptions {
  /** Maximum number of buffered events. */
  readonly bufferSize: number;
  readonly maximumSize: number;
  /** Milliseconds after which an incomplete batch is sent; 0 means as soon as possible. */
  readonly maximumWait: number;
  /** Token bucket: batches per second and burst; undefined: no limit. */
  readonly throttle: { readonly rate: number; readonly burst: number } | undefined;
  /** Maximum concurrent batches; 1 keeps them in order. */
  readonly concurrency: number;
}

/** Maximum bytes of buffered bodies: the number of events alone would allow gigabytes. */
const MAXIMUM_BYTES = 64 << 20;

/**
 * Buffers events and passes them on in batches, asynchronously to the request. Events that do not fit into
 * the buffer are dropped, counted and logged.
 */
export class BatchingBackend implements AuditBackend {
  #buffer: AuditEvent[] = [];
  #bytes = 0;
  #running = 0;
  #tokens: number;
  #refilled: number;
  #oldest = 0;
  #cancelTimer = (): void => undefined;
  #closing: (() => void) | undefined;
  #closed = false;

  constructor(
    private readonly delegate: AuditBackend,
    private readonly options: BatchOptions,
    private readonly report: ReportLoss,
    private readonly now: () => number = processClock.monotonic,
  ) {
    this.#tokens = options.throttle?.burst ?? 0;
    this.#refilled = now();
  }

  process(events: readonly AuditEvent[]): boolean {
    if (this.#closed) {
      this.report('buffered', 'audit backend shut down', events.length);
      return true;
    }
    for (const event of events) {
      const bytes = weight(event);
      if (
        this.#buffer.length >= this.options.bufferSize ||
        (this.#bytes + bytes > MAXIMUM_BYTES && this.#buffer.length > 0)
      ) {
        this.report('buffered', 'audit buffer queue blocked', 1);
        continue;
      }
      if (this.#buffer.length === 0) this.#oldest = this.now();
      this.#buffer.push(event);
      this.#bytes += bytes;
    }
    this.#advance();
    return true;
  }

  async close(): Promise<void> {
    this.#closed = true;
    if (this.#buffer.length > 0 || this.#running > 0) {
      const emptied = new Promise<void>((resolve) => {
        this.#closing = resolve;
      });
      this.#advance();
      await emptied;
    }
    this.#cancelTimer();
    await this.delegate.close();
  }

  /** Sends due batches and schedules a timer for the next one. */
  #advance(): void {
    this.#cancelTimer();
    while (this.#buffer.length > 0 && this.#running < this.options.concurrency) {
      const delay = Math.max(this.#batchDelay(), this.#throttleDelay());
      if (delay > 0) {
        this.#cancelTimer = processClock.after(Math.ceil(delay), () => this.#advance());
        return;
      }
      this.#send();
    }
    if (this.#buffer.length === 0 && this.#running === 0) this.#closing?.();
  }

  #batchDelay(): number {
    if (this.#closed || this.#buffer.length >= this.options.maximumSize) return 0;
    return this.#oldest + this.options.maximumWait - this.now();
  }

  #throttleDelay(): number {
    const { throttle } = this.options;
    if (throttle === undefined || this.#closed) return 0;
    const now = this.now();
    this.#tokens = Math.min(throttle.burst, this.#tokens + ((now - this.#refilled) / 1000) * throttle.rate);
    this.#refilled = now;
    return this.#tokens >= 1 ? 0 : ((1 - this.#tokens) / throttle.rate) * 1000;
  }

  #send(): void {
    if (this.options.throttle !== undefined) this.#tokens -= 1;
    const batch = this.#buffer.splice(0, this.options.maximumSize);
    for (const event of batch) this.#bytes -= weight(event);
    this.#oldest = this.now();
    const result = this.delegate.process(batch);
    if (!(result instanceof Promise)) return;
    this.#running += 1;
    void result.finally(() => {
      this.#running -= 1;
      this.#advance();
    });
  }
}

/** Approximate memory of an event, bytes. */
const weight = ({ requestObject, responseObject }: AuditEvent): number =>
  1000 + (requestObject?.length ?? 0) + (responseObject?.length ?? 0);
