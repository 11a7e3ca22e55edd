import type { BodyWriter } from '../connection/exchange.ts';
import type { ProcessClock } from '../time/clock.ts';

/** Bytes that wait at most before the writer asks for a pause. */
const MOST_HELD = 1 << 20;

/** A body whose chunks arrive later, in their order. */
export class DelayedWriter implements BodyWriter {
  readonly #writer: BodyWriter;
  readonly #milliseconds: number;
  readonly #clock: Pick<ProcessClock, 'after'>;
  #held = 0;
  #waiting: (() => void)[] = [];

  constructor(writer: BodyWriter, milliseconds: number, clock: Pick<ProcessClock, 'after'>) {
    this.#writer = writer;
    this.#milliseconds = milliseconds;
    this.#clock = clock;
  }

  write(chunk: Uint8Array): boolean {
    this.#held += chunk.length;
    this.#clock.after(this.#milliseconds, () => {
      this.#held -= chunk.length;
      if (!this.#writer.closed) this.#writer.write(chunk);
      if (this.#held < MOST_HELD) for (const resolve of this.#waiting.splice(0)) resolve();
    });
    return this.#held < MOST_HELD;
  }

  async drained(): Promise<void> {
    if (this.#held >= MOST_HELD) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    await this.#writer.drained();
  }

  get queuedBytes(): number {
    return this.#held + this.#writer.queuedBytes;
  }

  end(): void {
    this.#clock.after(this.#milliseconds, () => this.#writer.end());
  }

  abort(): void {
    this.#writer.abort();
  }

  get closed(): boolean {
    return this.#writer.closed;
  }
}
