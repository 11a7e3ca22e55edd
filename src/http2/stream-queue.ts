import type { Http2Stream } from './stream.ts';

/** Streams with something to send, in the order of their turns. A stream is in one queue at most. */
export class StreamQueue {
  #first: Http2Stream | undefined;
  #last: Http2Stream | undefined;

  get isEmpty(): boolean {
    return this.#first === undefined;
  }

  push(stream: Http2Stream): void {
    stream.isQueued = true;
    if (this.#last === undefined) this.#first = stream;
    else this.#last.next = stream;
    this.#last = stream;
  }

  shift(): Http2Stream | undefined {
    const stream = this.#first;
    if (stream === undefined) return undefined;
    this.#first = stream.next;
    if (this.#first === undefined) this.#last = undefined;
    stream.next = undefined;
    stream.isQueued = false;
    return stream;
  }

  clear(): void {
    while (this.shift() !== undefined);
  }
}
