import type { IncomingMessage } from 'node:http';
import { type BodyReceiver, type BodySource, disconnectedError } from './body-reader.ts';
import { BodyMalformedError } from './exchange.ts';

const endingError = (error: Error | null): Error =>
  error !== null && (error as NodeJS.ErrnoException).code?.startsWith('HPE_')
    ? new BodyMalformedError(error.message)
    : disconnectedError();

/** The body of an HTTP/1.1 request. */
export class Http1Body implements BodySource {
  readonly #request: IncomingMessage;
  /** Removes the listeners of the request; undefined while there are none. */
  #detach: (() => void) | undefined;

  constructor(request: IncomingMessage) {
    this.#request = request;
  }

  deliver(receiver: BodyReceiver): void {
    const request = this.#request;
    if (request.destroyed && !request.readableEnded) {
      receiver.onEnd(endingError(request.errored));
      return;
    }
    let failure: Error | null = null;
    const onData = (chunk: Buffer): void => receiver.onChunk(chunk);
    const onEnd = (): void => {
      detach();
      receiver.onEnd(undefined);
    };
    const onError = (error: Error): void => {
      failure = error;
    };
    const onClose = (): void => {
      detach();
      receiver.onEnd(endingError(failure));
    };
    const detach = (): void => {
      this.#detach = undefined;
      request.off('data', onData).off('end', onEnd).off('error', onError).off('close', onClose);
    };
    this.#detach = detach;
    request.on('data', onData).on('end', onEnd).on('error', onError).on('close', onClose);
  }

  stop(): void {
    if (this.#detach === undefined) return;
    this.#request.pause();
    this.#detach();
  }

  async *chunks(): AsyncGenerator<Uint8Array, void> {
    const request = this.#request;
    if (request.destroyed && !request.readableEnded) throw endingError(request.errored);
    try {
      yield* request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
    } catch (error) {
      throw endingError(error as Error);
    }
  }
}
