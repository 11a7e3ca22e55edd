import { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';

type Done = (error?: Error | null) => void;

/**
 * Wraps a socket and passes its incoming bytes to an observer before the reader. Writes go to the socket
 * without an additional queue.
 */
export class ObservedSocket extends Duplex {
  readonly #socket: TLSSocket;

  constructor(socket: TLSSocket, watch: (chunk: Buffer) => void) {
    super();
    this.#socket = socket;
    socket.on('data', (chunk: Buffer) => {
      watch(chunk);
      if (!this.push(chunk)) socket.pause();
    });
    socket.pause();
    socket.once('end', () => this.push(null));
    socket.once('close', () => this.destroy());
  }

  override _read(): void {
    this.#socket.resume();
  }

  override cork(): void {
    this.#socket.cork();
  }

  override uncork(): void {
    this.#socket.uncork();
  }

  override write(chunk: Buffer, encodingOrDone?: BufferEncoding | Done, done?: Done): boolean {
    return this.#socket.write(chunk, typeof encodingOrDone === 'function' ? encodingOrDone : done);
  }

  override _final(done: Done): void {
    this.#socket.end(() => done());
  }

  override _destroy(error: Error | null, done: Done): void {
    this.#socket.destroy();
    done(error);
  }
}
