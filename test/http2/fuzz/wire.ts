import { Duplex } from 'node:stream';
import type { Random } from './random.ts';

/**
 * The server's end of a connection without a network. What the server writes goes to `onWritten`; writes are
 * acknowledged at once, a turn later, or not while the window is closed, as the kernel does.
 */
export class Wire extends Duplex {
  /** Whether the client's kernel takes nothing. */
  isStuck = false;
  /** Bytes that the server has passed on and the kernel has not taken. */
  unsent = 0;
  readonly #random: Random;
  readonly #onWritten: (bytes: Buffer) => void;
  #held: (() => void) | undefined;

  constructor(random: Random, onWritten: (bytes: Buffer) => void) {
    super({ allowHalfOpen: true });
    this.#random = random;
    this.#onWritten = onWritten;
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    // The server may use its buffer again after the callback.
    const bytes = Buffer.from(chunk);
    this.unsent += bytes.length;
    const take = (): void => {
      this.unsent -= bytes.length;
      this.#onWritten(bytes);
      done();
    };
    if (this.isStuck) this.#held = take;
    else if (this.#random.chance(0.5)) take();
    else setImmediate(take);
  }

  /** The client's kernel takes bytes again. */
  unstick(): void {
    this.isStuck = false;
    const held = this.#held;
    this.#held = undefined;
    held?.();
  }
}
