import { FlushQueue } from '../../../src/http2/flush-queue.ts';
import type { ConnectionError } from '../../../src/http2/protocol.ts';
import { Http2Session } from '../../../src/http2/session.ts';
import { WriteBuffers } from '../../../src/http2/write-buffers.ts';
import { FuzzClient } from './client.ts';
import { FuzzHandler } from './handler.ts';
import { mutate } from './mutate.ts';
import { Random } from './random.ts';
import { Wire } from './wire.ts';

const LIMITS = {
  headerBytes: 64 * 1024,
  headerCount: 200,
  streams: 250,
  headerTimeout: 32_000,
  settingsTimeout: 10_000,
  goawayTimeout: 10_000,
  lingerTimeout: 5,
  lingerBytes: 100_000,
};
/** Turns after which a session that was given everything must have finished. */
const MOST_TURNS = 5_000;
/** Turns before those requests are answered that nobody reads. */
const READING_TURNS = 20;
/** More than one session may hold of a client that does not read. */
const MOST_UNSENT = 4 << 20;
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const resources = { flushes: new FlushQueue(), buffers: new WriteBuffers() };

class Case {
  readonly random: Random;
  readonly client: FuzzClient;
  readonly handler: FuzzHandler;
  readonly wire: Wire;
  readonly session: Http2Session;
  failure: Error | undefined;
  sessionError: ConnectionError | undefined;
  readonly reserved = { header: 0, body: 0 };
  #clock = 0;

  constructor(
    seed: number,
    readonly isMutated: boolean,
  ) {
    this.random = new Random(seed);
    this.client = new FuzzClient(this.random);
    const fail = (error: Error): void => {
      this.failure ??= error;
    };
    this.handler = new FuzzHandler(this.random, fail, !isMutated);
    this.wire = new Wire(this.random, (bytes) => {
      // What a server sends to a client that has broken the protocol is of no interest.
      if (this.isMutated) return;
      try {
        this.client.checks.read(bytes);
      } catch (error) {
        fail(error as Error);
      }
    });
    const account = (name: 'header' | 'body') => ({
      reserve: (bytes: number) => {
        this.reserved[name] = bytes;
        if (bytes < 0) fail(new Error(`${bytes} bytes reserved: ${name}`));
        return true;
      },
    });
    const environment = { limits: LIMITS, resources, now: () => this.#clock };
    this.session = new Http2Session(this.wire, environment, {
      headerAccount: account('header'),
      bodyAccount: account('body'),
      onRequest: (stream) => this.handler.onRequest(stream),
      onMalformed: () => undefined,
      onSessionError: (error) => {
        this.sessionError = error;
      },
      onPong: () => undefined,
    });
  }

  /** Sends bytes in random pieces. */
  async send(bytes: Buffer): Promise<void> {
    const pieces = this.random.chance(0.5) ? 1 : 1 + this.random.below(8);
    let from = 0;
    for (let piece = 1; piece <= pieces && from < bytes.length; piece += 1) {
      const to = piece === pieces ? bytes.length : from + this.random.below(bytes.length - from + 1);
      // A copy of its own: the server may keep no part of what it has received.
      const part = Buffer.from(bytes.subarray(from, to));
      if (!this.wire.destroyed && part.length > 0) this.wire.push(part);
      from = to;
      if (this.random.chance(0.3)) {
        await turn();
        part.fill(0xee);
      }
    }
  }

  async run(): Promise<void> {
    const { random, client, wire, session } = this;
    const send = (bytes: Buffer) =>
      this.send(this.isMutated && random.chance(0.1) ? mutate(bytes, random) : bytes);
    await send(client.start());
    await turn();
    await turn();
    await send(Buffer.from([0, 0, 0, 4, 1, 0, 0, 0, 0]));
    const steps = random.below(80);
    for (let step = 0; step < steps && this.failure === undefined; step += 1) {
      await send(client.step());
      if (random.chance(0.05)) wire.isStuck = true;
      if (random.chance(0.2)) wire.unstick();
      if (random.chance(0.1)) await turn();
      if (random.chance(0.05)) session.ping();
      if (random.chance(0.01)) session.close();
      if (random.chance(0.02)) {
        this.#clock += random.below(2000);
        session.sweep(this.#clock);
      }
      if (wire.unsent > MOST_UNSENT)
        throw new Error(`${wire.unsent} bytes wait for a client that does not read`);
    }
    wire.unstick();
    if (this.isMutated) await this.#end();
    else await this.#finish();
    if (this.failure !== undefined) throw this.failure;
  }

  /** A client that has kept to the protocol gets all its responses. */
  async #finish(): Promise<void> {
    const { client, handler, session } = this;
    await this.send(client.openWindows());
    const isDone = () => client.uploads.size === 0 && client.checks.unfinished.length === 0;
    for (let count = 0; !isDone() && this.failure === undefined; count += 1) {
      if (count > MOST_TURNS) throw new Error(`streams hang: ${client.checks.unfinished.join(' ')}`);
      await this.send(client.continueUploads());
      await turn();
      if (count > READING_TURNS) handler.release();
    }
    for (let count = 0; session.streams.size > 0 && count < READING_TURNS; count += 1) await turn();
    if (session.streams.size > 0)
      throw new Error(
        `streams stay: ${session.streams
          .values()
          .map(({ id }) => id)
          .join(' ')}`,
      );
    if (this.sessionError !== undefined) throw this.sessionError;
    for (const [id, { hasEnded, isCancelled, bytes }] of client.checks.streams) {
      const expected = handler.sizes.get(id);
      if (hasEnded && !isCancelled && bytes !== expected)
        throw new Error(`stream ${id} got ${bytes} bytes of ${expected}`);
    }
    if (session.queuedBytes !== 0) throw new Error(`${session.queuedBytes} bytes are counted as queued`);
    await this.#end();
  }

  /** The end of the connection ends everything. */
  async #end(): Promise<void> {
    const { random, wire, session, handler } = this;
    await turn();
    if (random.chance(0.5)) wire.push(null);
    else wire.destroy();
    for (let count = 0; !wire.destroyed || session.streams.size > 0; count += 1) {
      if (count > MOST_TURNS)
        throw new Error(`the session keeps ${session.streams.size} streams after its end`);
      await turn();
    }
    await turn();
    for (const [id, times] of handler.closed)
      if (times !== 1) throw new Error(`stream ${id} was closed ${times} times`);
    const { header, body } = this.reserved;
    if (header !== 0 || body !== 0) throw new Error(`reserved after the end: ${header} ${body}`);
    if (session.queuedBytes !== 0) throw new Error(`${session.queuedBytes} bytes are queued after the end`);
  }
}

/** Runs one case; rejects with what is wrong. Half of the cases are mutated: those with odd seeds. */
export async function fuzzCase(seed: number): Promise<void> {
  await new Case(seed, seed % 2 === 1).run();
}
