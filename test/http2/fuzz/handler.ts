import type { Http2Stream } from '../../../src/http2/stream.ts';
import { bodyBytes } from './client.ts';
import type { Random } from './random.ts';

const CHUNK = Buffer.alloc(3000, 'c');
const FIELDS = ['content-type', 'application/json', 'audit-id', 'a-b-c'];
const STATUSES = [200, 201, 404, 503];
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Answers requests in all the ways that the layers above do, at random. */
export class FuzzHandler {
  /** Bytes of each response that was completed. */
  readonly sizes = new Map<number, number>();
  /** Calls of `onClosed` by stream. */
  readonly closed = new Map<number, number>();
  readonly #random: Random;
  readonly #held: Http2Stream[] = [];
  readonly #fail: (error: Error) => void;

  readonly #checksBodies: boolean;

  /**
   * @param fail reports what no server should see
   * @param checksBodies whether request bodies have the bytes of `bodyByte`
   */
  constructor(random: Random, fail: (error: Error) => void, checksBodies: boolean) {
    this.#checksBodies = checksBodies;
    this.#random = random;
    this.#fail = fail;
  }

  onRequest(stream: Http2Stream): void {
    this.closed.set(stream.id, 0);
    stream.listener = {
      onSent: () => undefined,
      onClosed: () => this.closed.set(stream.id, this.closed.get(stream.id)! + 1),
    };
    this.#answer(stream).catch(this.#fail);
  }

  /** Answers everything that was held back. */
  release(): void {
    for (const stream of this.#held.splice(0)) this.#respond(stream);
  }

  async #answer(stream: Http2Stream): Promise<void> {
    const random = this.#random;
    const kind = random.below(8);
    if (kind === 0) this.#respond(stream);
    else if (kind === 1) {
      await turn();
      await turn();
      this.#respond(stream);
    } else if (kind === 2) await this.#writeChunks(stream);
    else if (kind === 3) {
      stream.inform(100);
      stream.body?.deliver(this.#receiver(stream), undefined);
      if (stream.body === undefined) this.#respond(stream);
    } else if (kind === 4) {
      await turn();
      await this.#readChunks(stream);
    } else if (kind === 5) this.#held.push(stream);
    else if (kind === 6) stream.reset(2);
    else {
      stream.start(200, FIELDS);
      this.sizes.set(stream.id, 0);
      await turn();
      stream.end();
    }
  }

  #respond(stream: Http2Stream): void {
    const size = this.#random.pick([0, 10, 4000, 50_000]);
    this.sizes.set(stream.id, size);
    stream.respond(this.#random.pick(STATUSES), FIELDS, size === 0 ? undefined : Buffer.alloc(size, 'r'));
  }

  async #writeChunks(stream: Http2Stream): Promise<void> {
    const chunks = this.#random.below(20);
    stream.start(200, FIELDS);
    for (let index = 0; index < chunks; index += 1) {
      stream.write(CHUNK);
      if (this.#random.chance(0.3)) await turn();
    }
    this.sizes.set(stream.id, chunks * CHUNK.length);
    stream.end();
  }

  #receiver(stream: Http2Stream) {
    let received = 0;
    return {
      onChunk: (chunk: Buffer) => {
        this.#check(stream, received, chunk);
        received += chunk.length;
      },
      onEnd: (isComplete: boolean) => {
        if (isComplete) this.#respond(stream);
      },
    };
  }

  async #readChunks(stream: Http2Stream): Promise<void> {
    let received = 0;
    if (stream.body !== undefined)
      for await (const chunk of stream.body.chunks(undefined)) {
        this.#check(stream, received, chunk);
        received += chunk.length;
        if (this.#random.chance(0.2)) await turn();
      }
    this.#respond(stream);
  }

  #check(stream: Http2Stream, offset: number, chunk: Buffer): void {
    if (!this.#checksBodies) return;
    if (!chunk.equals(bodyBytes(stream.id, offset, chunk.length)))
      this.#fail(new Error(`the body of stream ${stream.id} is wrong after ${offset} bytes`));
  }
}
