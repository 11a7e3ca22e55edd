import type { Readable } from 'node:stream';
import {
  BodyAbortedError,
  type BodyAccount,
  BodyMalformedError,
  BodyRefusedError,
  BodyTooLargeError,
} from './exchange.ts';

/** Parses a content-length: decimal digits only, as both protocols require. */
export function parseContentLength(value: string | undefined): number | undefined {
  if (value === undefined || !/^\d{1,15}$/.test(value)) return undefined;
  return Number(value);
}

const endingError = (error: Error | undefined): Error =>
  error !== undefined && (error as NodeJS.ErrnoException).code?.startsWith('HPE_')
    ? new BodyMalformedError(error.message)
    : new BodyAbortedError('the client disconnected before the request body was complete');

const BLOCK_BYTES = 16 * 1024;

/**
 * Collects chunks without excess memory: small chunks are copied together, since each one keeps its read
 * buffer alive.
 */
class Chunks {
  readonly #whole: Buffer[] = [];
  #block: Buffer | undefined;
  #blockBytes = 0;
  #length = 0;

  add(chunk: Buffer): void {
    this.#length += chunk.length;
    if (chunk.length >= BLOCK_BYTES && chunk.buffer.byteLength <= 2 * chunk.length) {
      this.#closeBlock();
      this.#whole.push(chunk);
      return;
    }
    for (let taken = 0; taken < chunk.length; ) {
      this.#block ??= Buffer.allocUnsafeSlow(BLOCK_BYTES);
      const copied = chunk.copy(this.#block, this.#blockBytes, taken);
      taken += copied;
      this.#blockBytes += copied;
      if (this.#blockBytes === BLOCK_BYTES) this.#closeBlock();
    }
  }

  /** Returns all chunks and resets. */
  join(): Buffer {
    this.#closeBlock();
    const chunks = this.#whole.splice(0);
    return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, this.#length);
  }

  #closeBlock(): void {
    if (this.#block !== undefined) this.#whole.push(this.#block.subarray(0, this.#blockBytes));
    this.#block = undefined;
    this.#blockBytes = 0;
  }
}

interface CollectOptions {
  /** Bytes. */
  readonly limit: number;
  /** content-length in bytes, when the client gave one. */
  readonly declaredLength: number | undefined;
  readonly account: BodyAccount | undefined;
  /** Called with the size of each chunk. */
  onBytes(bytes: number): void;
}

/**
 * Collects a request body.
 * @throws BodyTooLargeError as soon as more than `limit` bytes are announced or received, BodyRefusedError
 * when the account's limit is exceeded (the rest stays unread), BodyAbortedError, BodyMalformedError
 */
export function collectBody(
  readable: Readable,
  { limit, declaredLength, account, onBytes }: CollectOptions,
): Promise<Buffer> {
  if (declaredLength !== undefined && declaredLength > limit)
    return Promise.reject(new BodyTooLargeError(limit));
  if (readable.destroyed && !readable.readableEnded)
    return Promise.reject(endingError(readable.errored ?? undefined));
  return new Promise((resolve, reject) => {
    const chunks = new Chunks();
    let received = 0;
    let failure: Error | undefined;
    const refuse = (error: Error): void => {
      readable.pause();
      settle(() => reject(error));
    };
    const onData = (chunk: Buffer): void => {
      received += chunk.length;
      onBytes(chunk.length);
      if (received > limit) refuse(new BodyTooLargeError(limit));
      else if (account?.reserve(chunk.length) === false)
        refuse(new BodyRefusedError('the memory limit for request bodies is exceeded'));
      else chunks.add(chunk);
    };
    // Node ends the body normally when a client resets its stream with NO_ERROR: only the aborted flag
    // reveals it.
    const onEnd = (): void => {
      if ((readable as Readable & { aborted?: boolean }).aborted)
        settle(() => reject(endingError(undefined)));
      else settle(() => resolve(chunks.join()));
    };
    const onError = (error: Error): void => {
      failure = error;
    };
    const onClose = (): void => settle(() => reject(endingError(failure)));
    const settle = (finish: () => void): void => {
      readable.off('data', onData).off('end', onEnd).off('error', onError).off('close', onClose);
      if (account !== undefined) account.onReclaimed = undefined;
      finish();
    };
    if (account !== undefined)
      account.onReclaimed = () =>
        refuse(new BodyRefusedError('the memory of the request body was reclaimed for another user'));
    readable.on('data', onData).on('end', onEnd).on('error', onError).on('close', onClose);
  });
}

/** Streams a request body with back-pressure to the client. @throws BodyAbortedError, BodyMalformedError */
export async function* streamBody(readable: Readable): AsyncGenerator<Uint8Array, void> {
  if (readable.destroyed && !readable.readableEnded) throw endingError(readable.errored ?? undefined);
  try {
    yield* readable.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  } catch (error) {
    throw endingError(error as Error);
  }
}
