import { Duplex } from 'node:stream';
import { onTestFinished } from 'vitest';
import { FlushQueue } from '../../src/http2/flush-queue.ts';
import { HpackDecoder } from '../../src/http2/hpack/decoder.ts';
import type { ConnectionError } from '../../src/http2/protocol.ts';
import { Http2Session, type SessionEnvironment, type SessionOwner } from '../../src/http2/session.ts';
import type { Http2Stream } from '../../src/http2/stream.ts';
import { WriteBuffers } from '../../src/http2/write-buffers.ts';
import { Flag, type Frame, FrameType, PREFACE, parseFrames, uint32 } from '../connection/frames.ts';
import { frame, headerBlock } from '../connection/raw-http2.ts';

/** One side of a connection in memory: what is written to it arrives at the other side in a later turn. */
class Side extends Duplex {
  other!: Side;
  isHeld = false;
  writes: Buffer[] = [];
  #held: (() => void)[] = [];

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    // Buffers are used again once the write was called back.
    const copy = Buffer.from(chunk);
    this.writes.push(copy);
    const pass = (): void => {
      if (!this.other.destroyed) this.other.push(copy);
      done();
    };
    if (this.isHeld) this.#held.push(pass);
    else setImmediate(pass);
  }

  override _final(done: () => void): void {
    if (!this.other.destroyed) this.other.push(null);
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    if (!this.other.destroyed) setImmediate(() => this.other.destroy());
    done(error);
  }

  /** The peer reads again. */
  release(): void {
    this.isHeld = false;
    for (const pass of this.#held.splice(0)) setImmediate(pass);
  }
}

export class RawClient {
  received = Buffer.alloc(0);
  isClosed = false;
  readonly #side: Side;
  readonly #decoder = new HpackDecoder(4096);
  #heads: { stream: number; fields: string[] }[] = [];
  #decodedFrames = 0;
  #wake: (() => void) | undefined;

  constructor(side: Side) {
    this.#side = side;
    side.on('data', (chunk: Buffer) => {
      this.received = Buffer.concat([this.received, chunk]);
      this.#wake?.();
    });
    side.on('error', () => undefined);
    const close = (): void => {
      this.isClosed = true;
      this.#wake?.();
    };
    side.on('close', close).on('end', close);
  }

  /** Sends frames as latin1 text. */
  send(text: string): this {
    if (!this.#side.destroyed) this.#side.write(Buffer.from(text, 'latin1'));
    return this;
  }

  get frames(): Frame[] {
    return parseFrames(this.received);
  }

  of(type: number, stream?: number): Frame[] {
    return this.frames.filter((one) => one.type === type && (stream === undefined || one.stream === stream));
  }

  /** Response heads: HEADERS without continuations. */
  get heads(): readonly { stream: number; fields: string[] }[] {
    const all = this.of(FrameType.headers);
    for (const { stream, payload } of all.slice(this.#decodedFrames)) {
      const { fields } = this.#decoder.decode(payload, 0, payload.length, 1e6, 1000);
      this.#heads.push({ stream, fields });
    }
    this.#decodedFrames = all.length;
    return this.#heads;
  }

  statusOf(stream: number): string | undefined {
    return this.heads.findLast((head) => head.stream === stream)?.fields[1];
  }

  bodyOf(stream: number): Buffer {
    return Buffer.concat(this.of(FrameType.data, stream).map(({ payload }) => payload));
  }

  hasEnded(stream: number): boolean {
    return this.frames.some(
      (one) =>
        one.stream === stream &&
        (one.type === FrameType.data || one.type === FrameType.headers) &&
        (one.flags & Flag.endStream) !== 0,
    );
  }

  /** The code of the reset of a stream. */
  resetOf(stream: number): number | undefined {
    return this.of(FrameType.reset, stream)[0]?.payload.readUInt32BE();
  }

  get goaways(): { last: number; code: number }[] {
    return this.of(FrameType.goaway).map(({ payload }) => ({
      last: payload.readUInt32BE(0),
      code: payload.readUInt32BE(4),
    }));
  }

  /** Waits until something received makes the condition true. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) {
      if (this.isClosed) throw new Error('the connection was closed before the condition was true');
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  async untilClosed(): Promise<void> {
    while (!this.isClosed)
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
  }

  /** Waits until the session has processed everything that was sent before. */
  async roundTrip(): Promise<void> {
    const before = this.of(FrameType.ping).length;
    this.send(frame(FrameType.ping, 0, 0, 'roundtrp'));
    await this.until(() => this.of(FrameType.ping).length > before);
  }
}

export interface Opened {
  readonly session: Http2Session;
  readonly client: RawClient;
  /** The server's side, whose writes are kept. */
  readonly socket: Side;
  readonly requests: Http2Stream[];
  readonly errors: ConnectionError[];
  /** The time in milliseconds. */
  readonly clock: { now: number };
}

export const limits: SessionEnvironment['limits'] = {
  headerBytes: 64 * 1024,
  headerCount: 100,
  streams: 100,
  headerTimeout: 32_000,
  settingsTimeout: 10_000,
  goawayTimeout: 10_000,
  lingerTimeout: 50,
  lingerBytes: 1_000_000,
};

/** A session in memory. @param onRequest answers requests; they are collected too */
export function openSession(
  onRequest: (stream: Http2Stream) => void = () => undefined,
  options: Partial<SessionEnvironment & SessionOwner> = {},
): Opened {
  const socket = new Side();
  const other = new Side();
  socket.other = other;
  other.other = socket;
  const requests: Http2Stream[] = [];
  const errors: ConnectionError[] = [];
  const clock = { now: 0 };
  const environment = {
    limits: options.limits ?? limits,
    resources: { flushes: new FlushQueue(), buffers: new WriteBuffers() },
    now: () => clock.now,
  };
  const session = new Http2Session(socket, environment, {
    headerAccount: { reserve: () => true },
    bodyAccount: { reserve: () => true },
    onRequest(stream) {
      requests.push(stream);
      onRequest(stream);
    },
    onMalformed: () => undefined,
    onSessionError: (error) => errors.push(error),
    onPong: () => undefined,
    ...options,
  });
  const client = new RawClient(other);
  onTestFinished(() => session.destroy());
  return { session, client, socket, requests, errors, clock };
}

/** Sends the preface, empty settings and the acknowledgement. */
export const handshake = PREFACE + frame(FrameType.settings, 0, 0) + frame(FrameType.settings, 1, 0);

export const END = Flag.endHeaders | Flag.endStream;

export const target = (method = 'GET', path = '/'): [string, string][] => [
  [':method', method],
  [':scheme', 'https'],
  [':authority', 'localhost'],
  [':path', path],
];

/** A HEADERS frame with a whole request head. */
export const headers = (
  stream: number,
  fields: readonly (readonly [string, string])[] = target(),
  flags = END,
): string => frame(FrameType.headers, flags, stream, headerBlock(fields));

export const data = (stream: number, text: string, flags = 0): string =>
  frame(FrameType.data, flags, stream, text);
export const reset = (stream: number, code = 8): string => frame(FrameType.reset, 0, stream, uint32(code));
export const windowUpdate = (stream: number, bytes: number): string =>
  frame(FrameType.windowUpdate, 0, stream, uint32(bytes));

/** A SETTINGS frame. */
export function settings(...pairs: readonly (readonly [number, number])[]): string {
  const payload = Buffer.alloc(pairs.length * 6);
  for (const [index, [id, value]] of pairs.entries()) {
    payload.writeUInt16BE(id, index * 6);
    payload.writeUInt32BE(value, index * 6 + 2);
  }
  return frame(FrameType.settings, 0, 0, payload);
}

/** An account of one body. @param most bytes that it accepts */
export const bodyAccount = (most: number) => ({
  held: 0,
  isComplete: false,
  reserve(bytes: number): boolean {
    if (this.held + bytes > most) return false;
    this.held += bytes;
    return true;
  },
  complete(): void {
    this.isComplete = true;
  },
  release(): void {
    this.held = 0;
  },
});

/** Collects the body of a request; undefined for one that was aborted. */
export function readAll(stream: Http2Stream): Promise<Buffer | undefined> {
  if (stream.body === undefined) return Promise.resolve(Buffer.alloc(0));
  const chunks: Buffer[] = [];
  return new Promise((resolve) =>
    stream.body!.deliver(
      {
        onChunk: (chunk) => chunks.push(Buffer.from(chunk)),
        onEnd: (isComplete) => resolve(isComplete ? Buffer.concat(chunks) : undefined),
      },
      stream.head.contentLength,
    ),
  );
}
