import type { X509Certificate } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { closedBodyWriter } from './body-writer.ts';
import {
  BodyAbortedError,
  BodyTooLargeError,
  type BodyWriter,
  bytesOfBody,
  type Exchange,
  type ResponseBody,
} from './exchange.ts';
import {
  headersByName,
  type OutgoingHeaders,
  replaceOutgoingHeader,
  setOutgoingHeader,
} from './outgoing-headers.ts';
import { clientDisconnected, WaitingProducers } from './waiting-producers.ts';

/** Unread bytes at which producers must wait. */
const HIGH_WATER = 256 * 1024;
/** Unread bytes at which a producer that does not wait is aborted. */
const QUEUE_BOUND = 16 * 1024 * 1024;

export interface InProcessRequest {
  readonly method: string;
  /** Path and query, percent-encoded. */
  readonly target: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: Uint8Array | string | AsyncIterable<Uint8Array>;
  readonly host?: string;
  readonly remoteAddress?: string;
  readonly peerCertificates?: readonly X509Certificate[];
  /** As {@link Exchange.ignoresAnswer}. */
  readonly ignoresAnswer?: boolean;
  /** Aborting it disconnects the client. */
  readonly signal?: AbortSignal;
}

export interface InProcessResponse {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /**
   * May be read once. Ending the iteration early aborts the exchange; a truncated response throws
   * BodyAbortedError.
   */
  readonly body: AsyncIterable<Uint8Array>;
}

/**
 * Creates a request without sockets. `response` rejects with BodyAbortedError when the exchange ends without
 * a response.
 */
export function createInProcessExchange(request: InProcessRequest): {
  exchange: Exchange;
  response: Promise<InProcessResponse>;
} {
  const exchange = new InProcessExchange(request);
  return { exchange, response: exchange.response };
}

class InProcessExchange implements Exchange {
  readonly protocol = 'in-process';
  readonly remotePort = 0;
  readonly method: string;
  readonly target: string;
  readonly host: string;
  readonly remoteAddress: string;
  readonly peerCertificates: readonly X509Certificate[] | undefined;
  readonly ignoresAnswer: boolean;
  readonly response: Promise<InProcessResponse>;
  responded = false;
  closed = false;
  readonly #headers = new Map<string, readonly string[]>();
  readonly #requestBody: InProcessRequest['body'];
  readonly #outgoing: OutgoingHeaders = [];
  #controller: AbortController | undefined;
  readonly #callbacks: (() => void)[] = [];
  #finished = false;
  #queue: BodyQueue | undefined;
  #answer!: (response: InProcessResponse) => void;
  #fail!: (error: Error) => void;

  constructor(request: InProcessRequest) {
    this.method = request.method.toUpperCase();
    this.target = request.target;
    this.host = request.host ?? 'localhost';
    this.remoteAddress = request.remoteAddress ?? '127.0.0.1';
    this.peerCertificates = request.peerCertificates;
    this.ignoresAnswer = request.ignoresAnswer === true;
    this.#requestBody = request.body;
    for (const [name, value] of Object.entries(request.headers ?? {}))
      this.#headers.set(name.toLowerCase(), typeof value === 'string' ? [value] : value);
    this.response = new Promise((resolve, reject) => {
      this.#answer = resolve;
      this.#fail = reject;
    });
    // Ignored, so that an abandoned response is not an unhandled rejection.
    this.response.catch(() => undefined);
    const signal = request.signal;
    if (signal?.aborted) this.abort();
    else if (signal !== undefined) {
      const abort = (): void => this.abort();
      signal.addEventListener('abort', abort, { once: true });
      this.onFinished(() => signal.removeEventListener('abort', abort));
    }
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#finished) this.#controller.abort();
    }
    return this.#controller.signal;
  }

  header(name: string): string | undefined {
    return this.#headers.get(name)?.[0];
  }

  headerValues(name: string): readonly string[] {
    return this.#headers.get(name) ?? [];
  }

  *headers(): Generator<readonly [string, string]> {
    for (const [name, values] of this.#headers) for (const value of values) yield [name, value];
  }

  get hasBody(): boolean {
    return this.#requestBody !== undefined;
  }

  /** The body is in the memory of its sender. */
  accountBody(): void {}

  async readBody(limit: number): Promise<Buffer> {
    if (typeof this.#requestBody === 'string') return this.#wholeBody(this.#requestBody, limit);
    const chunks: Uint8Array[] = [];
    let length = 0;
    for await (const chunk of this.bodyStream()) {
      length += chunk.length;
      if (length > limit) throw new BodyTooLargeError(limit);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks, length);
  }

  /** A body that is one text needs no stream. */
  #wholeBody(text: string, limit: number): Buffer {
    if (this.closed) throw clientDisconnected();
    const body = Buffer.from(text);
    if (body.length > limit) throw new BodyTooLargeError(limit);
    return body;
  }

  async *bodyStream(): AsyncGenerator<Uint8Array, void> {
    const body = this.#requestBody;
    if (this.closed) throw clientDisconnected();
    if (body === undefined) return;
    if (typeof body === 'string') yield Buffer.from(body);
    else if (body instanceof Uint8Array) yield body;
    else yield* body;
  }

  /** A request of this process waits for no connection. */
  prefer(): void {}

  setHeader(name: string, value: string, append = false): void {
    setOutgoingHeader(this.#outgoing, name, value, append);
  }

  respond(status: number, contentType: string | undefined, body: ResponseBody): void {
    if (this.responded || this.closed) return;
    const bytes = bytesOfBody(body);
    if (status !== 204 && status !== 304)
      replaceOutgoingHeader(this.#outgoing, 'content-length', String(bytes.length));
    const queue = this.#startAnswer(status, contentType);
    if (bytes.length > 0 && this.method !== 'HEAD') queue.write(bytes);
    queue.end();
  }

  startStream(
    status: number,
    contentType: string | undefined,
    headers?: Readonly<Record<string, string>>,
  ): BodyWriter {
    if (this.responded || this.closed) return closedBodyWriter;
    for (const [name, value] of Object.entries(headers ?? {})) this.setHeader(name, value);
    const queue = this.#startAnswer(status, contentType);
    if (this.method !== 'HEAD') return queue;
    queue.end();
    return closedBodyWriter;
  }

  takeover(): { socket: Duplex; head: Buffer } | undefined {
    return undefined;
  }

  abort(): void {
    if (this.#finished) return;
    this.closed = true;
    this.#finish();
    this.#fail(new BodyAbortedError('the exchange ended without a response'));
    this.#queue?.fail();
  }

  get sentBytes(): number {
    return this.#queue?.writtenBytes ?? 0;
  }

  onFinished(callback: () => void): void {
    if (this.#finished) callback();
    else this.#callbacks.push(callback);
  }

  #startAnswer(status: number, contentType: string | undefined): BodyQueue {
    this.responded = true;
    if (contentType !== undefined) replaceOutgoingHeader(this.#outgoing, 'content-type', contentType);
    const queue = new BodyQueue(
      () => this.#finish(),
      () => this.abort(),
    );
    this.#queue = queue;
    this.#answer({ status, headers: headersByName(this.#outgoing), body: queue });
    return queue;
  }

  #finish(): void {
    if (this.#finished) return;
    this.#finished = true;
    this.#controller?.abort();
    for (const callback of this.#callbacks.splice(0)) callback();
  }
}

/** Queue of the response body between its producer and the in-process client. */
class BodyQueue implements BodyWriter, AsyncIterable<Uint8Array> {
  closed = false;
  queuedBytes = 0;
  writtenBytes = 0;
  #chunks: Uint8Array[] = [];
  #ended = false;
  #failed = false;
  #wakeReader: (() => void) | undefined;
  readonly #producers = new WaitingProducers();

  constructor(
    readonly onEnd: () => void,
    readonly onAbort: () => void,
  ) {}

  write(chunk: Uint8Array): boolean {
    if (this.closed || this.#ended) return false;
    if (this.queuedBytes > QUEUE_BOUND) {
      this.abort();
      return false;
    }
    if (chunk.length > 0) {
      this.#chunks.push(chunk);
      this.queuedBytes += chunk.length;
      this.writtenBytes += chunk.length;
      this.#wake();
    }
    return this.queuedBytes < HIGH_WATER;
  }

  drained(): Promise<void> {
    if (this.closed) return Promise.reject(clientDisconnected());
    if (this.queuedBytes < HIGH_WATER) return Promise.resolve();
    return this.#producers.wait();
  }

  end(): void {
    if (this.closed || this.#ended) return;
    this.#ended = true;
    this.onEnd();
    this.#wake();
  }

  abort(): void {
    if (this.closed) return;
    this.fail();
    this.onAbort();
  }

  /** Makes the reader fail with a truncated response. */
  fail(): void {
    if (this.closed) return;
    this.#failed = true;
    this.#close();
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void> {
    try {
      while (true) {
        if (this.#failed) throw new BodyAbortedError('the response ended before it was complete');
        const chunks = this.#chunks;
        this.#chunks = [];
        for (const chunk of chunks) {
          this.queuedBytes -= chunk.length;
          if (this.queuedBytes < HIGH_WATER) this.#producers.resume();
          yield chunk;
        }
        if (this.#chunks.length > 0) continue;
        if (this.#ended) return;
        if (!this.#failed)
          await new Promise<void>((resolve) => {
            this.#wakeReader = resolve;
          });
      }
    } finally {
      // A client that stops reading has disconnected.
      if (this.#ended) this.#close();
      else this.abort();
    }
  }

  #wake(): void {
    this.#wakeReader?.();
    this.#wakeReader = undefined;
  }

  #close(): void {
    this.closed = true;
    this.#chunks = [];
    this.queuedBytes = 0;
    this.#producers.disconnect();
  }
}
