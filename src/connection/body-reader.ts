import { BodyAbortedError, type BodyAccount, BodyRefusedError, BodyTooLargeError } from './exchange.ts';

/** Parses a content-length: decimal digits only, as both protocols require. */
export function parseContentLength(value: string | undefined): number | undefined {
  if (value === undefined || !/^\d{1,15}$/.test(value)) return undefined;
  return Number(value);
}

/** Receives a request body. */
export interface BodyReceiver {
  /** @param isCounted whether the account of the body has its bytes already */
  onChunk(chunk: Buffer, isCounted?: boolean): void;
  /** Called once, after the last chunk or with the reason why there are no more. */
  onEnd(error: Error | undefined): void;
}

/** A request body of either protocol. */
export interface BodySource {
  /** Passes the body to a receiver as it arrives, from within the call for what has arrived already. */
  deliver(receiver: BodyReceiver): void;
  /** Stops reading; the rest of the body is discarded. */
  stop(): void;
  /** The body with back-pressure to the client. @throws BodyAbortedError, BodyMalformedError */
  chunks(): AsyncIterable<Uint8Array>;
}

export const refusedError = (): BodyRefusedError =>
  new BodyRefusedError('the memory limit for request bodies is exceeded');

export const disconnectedError = (): BodyAbortedError =>
  new BodyAbortedError('the client disconnected before the request body was complete');

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
  source: BodySource,
  { limit, declaredLength, account, onBytes }: CollectOptions,
): Promise<Buffer> {
  if (declaredLength !== undefined && declaredLength > limit)
    return Promise.reject(new BodyTooLargeError(limit));
  return new Promise((resolve, reject) => {
    const chunks = new Chunks();
    let received = 0;
    const settle = (finish: () => void): void => {
      account?.onReclaimed(undefined);
      finish();
    };
    const refuse = (error: Error): void => {
      source.stop();
      settle(() => reject(error));
    };
    account?.onReclaimed(() =>
      refuse(new BodyRefusedError('the memory of the request body was reclaimed for another user')),
    );
    source.deliver({
      onChunk(chunk, isCounted = false) {
        received += chunk.length;
        onBytes(chunk.length);
        if (received > limit) refuse(new BodyTooLargeError(limit));
        else if (!isCounted && account?.reserve(chunk.length) === false) refuse(refusedError());
        else chunks.add(chunk);
      },
      onEnd: (error) => settle(() => (error === undefined ? resolve(chunks.join()) : reject(error))),
    });
  });
}
