import { constants, createGzip, deflateRaw, type Gzip, gzip } from 'node:zlib';
import type { BodyWriter } from './exchange.ts';
import { clientDisconnected, WaitingProducers } from './waiting-producers.ts';

/** The thread pool has four threads, shared with storage commits. */
const CONCURRENT = 2;
/** Level 4 costs twice the time for a few per cent. */
const level = constants.Z_BEST_SPEED;
const SMALLEST_CHUNK = 16 * 1024;
const LARGEST_CHUNK = 1024 * 1024;

let running = 0;
const waiting: (() => void)[] = [];

/** Compresses a whole body in the thread pool. */
export const gzipBody = (bytes: Uint8Array): Promise<Buffer> => compressed(gzip, bytes);

/**
 * Compresses a part of a body in the thread pool: raw deflate blocks that end at a byte, without a last one
 * (`GzipJoin` joins them).
 */
export const deflatePart = (bytes: Uint8Array): Promise<Buffer> =>
  compressed(deflateRaw, bytes, constants.Z_SYNC_FLUSH);

/**
 * Bodies beyond the concurrency bound wait in order; the queue holds only references to existing responses, so the
 * limit on in-flight requests bounds it.
 */
async function compressed(
  compress: typeof gzip,
  bytes: Uint8Array,
  finishFlush: number = constants.Z_FINISH,
): Promise<Buffer> {
  if (running >= CONCURRENT) await new Promise<void>((resolve) => waiting.push(resolve));
  else running++;
  try {
    // Each output chunk is one job of the pool: a chunk that fits the usual result needs one in total.
    const chunkSize = Math.min(LARGEST_CHUNK, Math.max(SMALLEST_CHUNK, bytes.length >> 2));
    return await new Promise((resolve, reject) =>
      compress(bytes, { level, chunkSize, finishFlush }, (error, result) =>
        error === null ? resolve(result) : reject(error),
      ),
    );
  } finally {
    // Pass the slot on to a waiting body.
    const next = waiting.shift();
    if (next === undefined) running--;
    else next();
  }
}

/**
 * Compresses a streamed body into another writer, with back-pressure. The caller sets `content-encoding:
 * gzip`.
 */
export class GzipWriter implements BodyWriter {
  readonly #inner: BodyWriter;
  readonly #gzip: Gzip;
  #closed = false;
  readonly #producers = new WaitingProducers();

  constructor(inner: BodyWriter) {
    this.#inner = inner;
    this.#gzip = createGzip({ level, chunkSize: 64 * 1024 });
    this.#gzip.on('data', (compressed: Buffer) => this.#forward(compressed));
    this.#gzip.on('end', () => {
      inner.end();
      this.#close();
    });
    this.#gzip.on('error', () => this.abort());
    this.#gzip.on('drain', () => {
      this.#producers.resume();
    });
  }

  get closed(): boolean {
    return this.#closed || this.#inner.closed;
  }

  get queuedBytes(): number {
    return this.#closed
      ? this.#inner.queuedBytes
      : this.#gzip.writableLength + this.#gzip.readableLength + this.#inner.queuedBytes;
  }

  write(chunk: Uint8Array): boolean {
    if (this.#gzip.writableEnded) return false;
    if (!this.closed) return this.#gzip.write(chunk);
    this.#close();
    return false;
  }

  drained(): Promise<void> {
    if (this.closed) {
      this.#close();
      return Promise.reject(clientDisconnected());
    }
    if (!this.#gzip.writableNeedDrain) return Promise.resolve();
    return this.#producers.wait();
  }

  end(): void {
    if (!this.#closed) this.#gzip.end();
  }

  abort(): void {
    this.#inner.abort();
    this.#close();
  }

  #forward(compressed: Buffer): void {
    if (this.#inner.closed) this.#close();
    else if (!this.#inner.write(compressed)) {
      this.#gzip.pause();
      this.#inner.drained().then(
        () => this.#gzip.resume(),
        () => this.#close(),
      );
    }
  }

  #close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#gzip.destroy();
    this.#producers.disconnect();
  }
}
