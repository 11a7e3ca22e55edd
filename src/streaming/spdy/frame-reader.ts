import { FRAME_HEAD } from './frames.ts';
import { SpdyError } from './header-blocks.ts';

/** Largest content of a control frame in bytes; the content of data frames is passed on as it arrives. */
const MAXIMUM_CONTROL = 64 * 1024;
const VERSION = 3;

export interface ControlFrame {
  readonly type: number;
  readonly flags: number;
  readonly content: Buffer;
}

/** What a reader passes the frames to. A returned promise delays the next frames. */
export interface FrameSink {
  control(frame: ControlFrame): void | Promise<void>;
  /** @param isLast ends the frame. A frame without bytes has one such call. */
  data(stream: number, flags: number, bytes: Buffer, isLast: boolean): void | Promise<void>;
}

interface DataFrame {
  readonly stream: number;
  readonly flags: number;
  /** Bytes that have not arrived. */
  rest: number;
}

/** Cuts received bytes into frames. */
export class FrameReader {
  readonly #sink: FrameSink;
  /** Received bytes of an incomplete head or control frame. */
  #pending: Buffer = Buffer.alloc(0);
  /** The data frame in progress. */
  #data: DataFrame | undefined;

  constructor(sink: FrameSink) {
    this.#sink = sink;
  }

  /** Rejects with SpdyError, and with errors of the sink. */
  async read(chunk: Buffer): Promise<void> {
    let bytes = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk]);
    for (;;) {
      const taken = await this.#next(bytes);
      if (taken === 0) break;
      bytes = bytes.subarray(taken);
    }
    // A part of a large chunk would keep all of it in memory.
    this.#pending = bytes.length === 0 ? bytes : Buffer.from(bytes);
  }

  /** Handles what comes next. @returns the bytes that it takes; 0 if more are needed */
  async #next(bytes: Buffer): Promise<number> {
    if (this.#data !== undefined) return this.#continueData(this.#data, bytes);
    if (bytes.length < FRAME_HEAD) return 0;
    const length = bytes.readUIntBE(5, 3);
    const flags = bytes.readUInt8(4);
    const first = bytes.readUInt32BE(0);
    if ((first & 0x80000000) === 0) {
      this.#data = { stream: first, flags, rest: length };
      if (length === 0) await this.#continueData(this.#data, bytes.subarray(FRAME_HEAD, FRAME_HEAD));
      return FRAME_HEAD;
    }
    const version = (first >>> 16) & 0x7fff;
    if (version !== VERSION) throw new SpdyError(`a frame has the version ${version}, not ${VERSION}`);
    if (length > MAXIMUM_CONTROL) throw new SpdyError(`a control frame has ${length} bytes`);
    const end = FRAME_HEAD + length;
    if (bytes.length < end) return 0;
    await this.#sink.control({ type: first & 0xffff, flags, content: bytes.subarray(FRAME_HEAD, end) });
    return end;
  }

  async #continueData(frame: DataFrame, bytes: Buffer): Promise<number> {
    if (bytes.length === 0 && frame.rest > 0) return 0;
    const part = bytes.subarray(0, frame.rest);
    frame.rest -= part.length;
    const isLast = frame.rest === 0;
    if (isLast) this.#data = undefined;
    await this.#sink.data(frame.stream, frame.flags, part, isLast);
    return part.length;
  }
}
