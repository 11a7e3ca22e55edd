import { randomBytes } from 'node:crypto';
import { Span, type SpanAttributes, type TraceIdentity } from '../observability/span.ts';
import type { ProcessClock } from '../time/clock.ts';
import { type Collector, ExportError } from './collector.ts';
import { encodeSpan, exportRequest, type TracedService } from './otlp.ts';

/** Spans that wait for export; further traces are dropped. */
const MAXIMUM_QUEUED = 2048;
/** Spans of one export request. */
const BATCH = 512;
/** Milliseconds between exports. */
const INTERVAL = 5000;
/** Milliseconds of one export. */
const EXPORT_TIMEOUT = 10_000;
/** Attempts of one export, with the interval between them. */
const ATTEMPTS = 12;

export interface TracerOptions {
  readonly collector: Pick<Collector, 'send' | 'close'>;
  /** Sampled requests per million. */
  readonly samplingRatePerMillion: number;
  readonly service: TracedService;
  readonly clock: Pick<ProcessClock, 'after'>;
  /** Wall-clock milliseconds at the monotonic time 0. */
  readonly origin: number;
  readonly onFailure: (error: Error) => void;
  /** A trace was dropped because the queue is full. */
  readonly onDrop: () => void;
}

const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(?:-|$)/;
const ZERO = /^0+$/;

/**
 * Decides which requests are traced and exports their spans. The server is a public endpoint: a request begins
 * a trace of its own, which links to that of its caller, and whether the caller sampled it does not matter.
 */
export class Tracer {
  readonly #options: TracerOptions;
  /** Trace ids below it are sampled, as OpenTelemetry's ratio sampler compares their last 8 bytes. */
  readonly #bound: bigint;
  #queue: Uint8Array[] = [];
  #cancel: (() => void) | undefined;
  #sending: Promise<void> | undefined;
  #attempts = 0;
  #closed = false;

  constructor(options: TracerOptions) {
    this.#options = options;
    this.#bound = (BigInt(options.samplingRatePerMillion) << 63n) / 1_000_000n;
  }

  /** Begins the root span of a request; undefined if it is not sampled. @param parent header `traceparent` */
  begin(name: string, parent: string | undefined, attributes: () => SpanAttributes): Span | undefined {
    const id = randomBytes(16);
    if (id.readBigUInt64BE(8) >> 1n >= this.#bound) return undefined;
    const trace: TraceIdentity = { traceId: id.toString('hex'), link: linkOf(parent) };
    return new Span(name, trace, 'server', attributes);
  }

  /** Ends a root span and queues it with all finished spans below it. */
  finish(root: Span): void {
    root.finish();
    if (this.#queue.length >= MAXIMUM_QUEUED) {
      this.#options.onDrop();
      return;
    }
    const { origin } = this.#options;
    const spans: Uint8Array[] = [];
    const collect = (span: Span, parentId: string): void => {
      if (span.end === 0) return;
      spans.push(encodeSpan(span, parentId, origin));
      for (const child of span.children) collect(child, span.id);
    };
    collect(root, '');
    this.#queue.push(...spans);
    if (this.#queue.length >= BATCH) this.#start();
    else this.#schedule();
  }

  /** Exports what is queued, and stops. */
  async close(timeout: number): Promise<void> {
    this.#closed = true;
    this.#cancel?.();
    await Promise.race([
      (async () => {
        await this.#sending;
        while (this.#queue.length > 0 && this.#attempts === 0) await this.#send(timeout);
      })(),
      new Promise<void>((resolve) => void this.#options.clock.after(timeout, resolve)),
    ]);
    this.#options.collector.close();
  }

  #schedule(): void {
    if (this.#closed) return;
    this.#cancel ??= this.#options.clock.after(INTERVAL, () => {
      this.#cancel = undefined;
      this.#start();
    });
  }

  #start(): void {
    if (this.#sending !== undefined || this.#closed) return;
    // A failed export is repeated after the interval.
    if (this.#attempts > 0 && this.#cancel !== undefined) return;
    this.#sending = this.#send(EXPORT_TIMEOUT).finally(() => {
      this.#sending = undefined;
      if (this.#queue.length > 0) this.#schedule();
    });
  }

  /** Sends one batch. It stays queued when the failure may pass. */
  async #send(timeout: number): Promise<void> {
    const { collector, service, onFailure } = this.#options;
    const batch = this.#queue.slice(0, BATCH);
    try {
      await collector.send(exportRequest(batch, service), timeout);
    } catch (error) {
      this.#attempts += 1;
      if (error instanceof ExportError && error.isTransient && this.#attempts < ATTEMPTS) {
        if (this.#attempts === 1) onFailure(error);
        return;
      }
      onFailure(error as Error);
    }
    this.#attempts = 0;
    this.#queue = this.#queue.slice(batch.length);
  }
}

/** The span that a `traceparent` header names; undefined for none and for an invalid one. */
function linkOf(header: string | undefined): TraceIdentity['link'] {
  const [, traceId = '0', spanId = '0'] = (header !== undefined && TRACEPARENT.exec(header)) || [];
  return ZERO.test(traceId) || ZERO.test(spanId) ? undefined : { traceId, spanId };
}
