import type { Readable } from 'node:stream';
import { BodyAbortedError, BodyMalformedError, BodyTooLargeError } from './exchange.ts';

/** Decimal digits and nothing else, as both protocols demand. */
export function parseContentLength(value: string | undefined): number | undefined {
  if (value === undefined || !/^\d{1,15}$/.test(value)) return undefined;
  return Number(value);
}

const endingError = (error: Error | undefined): Error =>
  error !== undefined && (error as NodeJS.ErrnoException).code?.startsWith('HPE_')
    ? new BodyMalformedError(error.message)
    : new BodyAbortedError('the client went away before the request body was complete');

/**
 * Collects a request body.
 * @param declaredLength content-length in bytes, when the client gave one
 * @param onBytes told how many bytes each chunk brought
 * @throws BodyTooLargeError as soon as more than `limit` bytes are announced or received (the rest stays unread),
 *   BodyAbortedError, BodyMalformedError
 */
export function collectBody(readable: Readable, limit: number, declaredLength: number | undefined, onBytes: (bytes: number) => void): Promise<Buffer> {
  if (declaredLength !== undefined && declaredLength > limit) return Promise.reject(new BodyTooLargeError(limit));
  if (readable.destroyed && !readable.readableEnded) return Promise.reject(endingError(readable.errored ?? undefined));
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let received = 0;
    let failure: Error | undefined;
    const onData = (chunk: Buffer): void => {
      received += chunk.length;
      onBytes(chunk.length);
      if (received > limit) {
        readable.pause();
        settle(() => reject(new BodyTooLargeError(limit)));
      } else chunks.push(chunk);
    };
    // Node ends the body normally when a client resets its stream with NO_ERROR: only the aborted flag tells.
    const onEnd = (): void => {
      if ((readable as Readable & { aborted?: boolean }).aborted) settle(() => reject(endingError(undefined)));
      else settle(() => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, received)));
    };
    const onError = (error: Error): void => {
      failure = error;
    };
    const onClose = (): void => settle(() => reject(endingError(failure)));
    const settle = (finish: () => void): void => {
      readable.off('data', onData).off('end', onEnd).off('error', onError).off('close', onClose);
      finish();
    };
    readable.on('data', onData).on('end', onEnd).on('error', onError).on('close', onClose);
  });
}

/** A request body as chunks; back-pressure goes through to the client. Throws BodyAbortedError or BodyMalformedError. */
export async function* streamBody(readable: Readable): AsyncGenerator<Uint8Array, void> {
  if (readable.destroyed && !readable.readableEnded) throw endingError(readable.errored ?? undefined);
  try {
    yield* readable.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  } catch (error) {
    throw endingError(error as Error);
  }
}
