import type { Duplex } from 'node:stream';
import { type ControlFrame, FrameReader } from './frame-reader.ts';
import { controlFrame, dataHead, FLAG_FIN, FrameType, numbersFrame, ResetStatus } from './frames.ts';
import { HeaderReader, HeaderWriter, SpdyError, type StreamHeaders } from './header-blocks.ts';
import { SpdyStream, type StreamHost } from './stream.ts';

/** Streams that are open at a time. */
const MAXIMUM_STREAMS = 1024;
/** Most bytes of a data frame that is sent: other streams get their turn. */
const MAXIMUM_DATA = 64 * 1024;
const STREAM_MASK = 0x7fffffff;

export interface SpdySessionOptions {
  readonly socket: Duplex;
  /** Bytes that were received with the response or request that changed the protocol. */
  readonly head: Buffer;
  /** Servers number their streams evenly. */
  readonly isServer: boolean;
  /** Called for each stream that the peer opens; without it they are refused. */
  onStream?(stream: SpdyStream): void;
}

/**
 * One connection of SPDY/3.1. Windows are not counted, as in the implementation that Kubernetes uses: a stream whose
 * reader is slow holds up the whole connection, and with it the peer.
 */
export class SpdySession implements StreamHost {
  /** Resolves when the connection has ended. */
  readonly closed: Promise<void>;
  readonly #socket: Duplex;
  readonly #options: SpdySessionOptions;
  readonly #streams = new Map<number, SpdyStream>();
  readonly #opening = new Map<number, { resolve(): void; reject(error: Error): void }>();
  readonly #headerReader = new HeaderReader();
  readonly #headerWriter = new HeaderWriter();
  #nextStream: number;
  #lastAccepted = 0;
  #isClosed = false;

  constructor(options: SpdySessionOptions) {
    this.#options = options;
    this.#socket = options.socket;
    this.#nextStream = options.isServer ? 2 : 1;
    this.#socket.on('error', () => undefined);
    this.closed = this.#run(options.head);
  }

  /** Opens a stream, and waits until the peer has accepted it. Rejects with SpdyError. */
  async open(headers: StreamHeaders): Promise<SpdyStream> {
    if (this.#isClosed) throw new SpdyError('the connection is closed');
    const id = this.#nextStream;
    this.#nextStream += 2;
    const stream = new SpdyStream(id, headers, this);
    this.#streams.set(id, stream);
    const accepted = new Promise<void>((resolve, reject) => this.#opening.set(id, { resolve, reject }));
    const fixed = Buffer.alloc(10);
    fixed.writeUInt32BE(id, 0);
    const content = Buffer.concat([fixed, this.#headerWriter.write(headers)]);
    this.#socket.write(controlFrame(FrameType.synStream, 0, content));
    await accepted;
    return stream;
  }

  /** Ends the connection after what was written to it. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#socket.end(numbersFrame(FrameType.goAway, this.#lastAccepted, 0));
  }

  /** Ends the connection at once. */
  destroy(): void {
    this.#isClosed = true;
    this.#socket.destroy();
  }

  sendData(stream: number, bytes: Buffer, done: (error?: Error | null) => void): void {
    if (this.#socket.destroyed || this.#socket.writableEnded) {
      done(new SpdyError('the connection is closed'));
      return;
    }
    this.#socket.cork();
    for (let at = 0; at < bytes.length; at += MAXIMUM_DATA) {
      const part = bytes.subarray(at, at + MAXIMUM_DATA);
      this.#socket.write(dataHead(stream, 0, part.length));
      this.#socket.write(part, at + MAXIMUM_DATA < bytes.length ? undefined : done);
    }
    this.#socket.uncork();
    if (bytes.length === 0) done();
  }

  sendEnd(stream: number, done: (error?: Error | null) => void): void {
    if (this.#socket.destroyed || this.#socket.writableEnded) done();
    else this.#socket.write(dataHead(stream, FLAG_FIN, 0), done);
  }

  streamClosed(stream: number, isReset: boolean): void {
    this.#streams.delete(stream);
    if (isReset) this.#reset(stream, ResetStatus.cancel);
  }

  async #run(head: Buffer): Promise<void> {
    const reader = new FrameReader({
      control: (frame) => this.#control(frame),
      data: (stream, flags, bytes, isLast) => this.#data(stream, flags, bytes, isLast),
    });
    let failure = new SpdyError('the connection is closed');
    try {
      if (head.length > 0) await reader.read(head);
      for await (const chunk of this.#socket) await reader.read(chunk as Buffer);
    } catch (error) {
      if (error instanceof SpdyError) failure = error;
    }
    this.#isClosed = true;
    this.#headerReader.close();
    for (const { reject } of this.#opening.values()) reject(failure);
    for (const stream of [...this.#streams.values()]) stream.receiveReset();
    this.#socket.destroy();
  }

  async #control({ type, flags, content }: ControlFrame): Promise<void> {
    const first = content.length >= 4 ? content.readUInt32BE(0) : 0;
    const stream = first & STREAM_MASK;
    switch (type) {
      case FrameType.synStream:
        return this.#opened(stream, flags, await this.#headers(content, 10));
      case FrameType.synReply: {
        await this.#headers(content, 4);
        this.#opening.get(stream)?.resolve();
        this.#opening.delete(stream);
        if ((flags & FLAG_FIN) !== 0) this.#streams.get(stream)?.receiveEnd();
        return;
      }
      case FrameType.headers:
        await this.#headers(content, 4);
        return;
      case FrameType.rstStream: {
        const error = new SpdyError('the peer has reset the stream');
        this.#opening.get(stream)?.reject(error);
        this.#opening.delete(stream);
        this.#streams.get(stream)?.receiveReset();
        return;
      }
      case FrameType.ping:
        // Those of this side are not answered again; it sends none.
        if ((first & 1) === (this.#options.isServer ? 1 : 0)) return this.#answer(numbersFrame(type, first));
        return;
      default:
        // Settings, windows and the announcement of the end need no answer.
        return;
    }
  }

  async #headers(content: Buffer, at: number): Promise<StreamHeaders> {
    if (content.length < at) throw new SpdyError('a control frame is cut off');
    return this.#headerReader.read(content.subarray(at));
  }

  #opened(id: number, flags: number, headers: StreamHeaders): void {
    const isOfPeer = id % 2 === (this.#options.isServer ? 1 : 0);
    if (!isOfPeer || id <= this.#lastAccepted)
      throw new SpdyError(`the number ${id} of a stream is not allowed`);
    this.#lastAccepted = id;
    if (this.#streams.size >= MAXIMUM_STREAMS || this.#options.onStream === undefined) {
      this.#reset(id, ResetStatus.refusedStream);
      return;
    }
    const stream = new SpdyStream(id, headers, this);
    this.#streams.set(id, stream);
    const content = Buffer.concat([numberBytes(id), this.#headerWriter.write(new Map())]);
    this.#socket.write(controlFrame(FrameType.synReply, 0, content));
    if ((flags & FLAG_FIN) !== 0) stream.receiveEnd();
    this.#options.onStream(stream);
  }

  async #data(id: number, flags: number, bytes: Buffer, isLast: boolean): Promise<void> {
    const stream = this.#streams.get(id);
    await stream?.receive(bytes);
    if (isLast && (flags & FLAG_FIN) !== 0) stream?.receiveEnd();
  }

  /** Sends what the peer has asked for; nothing more is read from a peer that does not take it. */
  #answer(frame: Buffer): void | Promise<void> {
    if (this.#socket.writableEnded || this.#socket.write(frame)) return;
    return new Promise((resolve) => {
      const go = (): void => {
        this.#socket.off('drain', go).off('close', go);
        resolve();
      };
      this.#socket.once('drain', go).once('close', go);
    });
  }

  #reset(stream: number, status: number): void {
    if (this.#socket.destroyed || this.#socket.writableEnded) return;
    this.#socket.write(numbersFrame(FrameType.rstStream, stream, status));
  }
}

function numberBytes(number: number): Buffer {
  const bytes = Buffer.allocUnsafe(4);
  bytes.writeUInt32BE(number);
  return bytes;
}
