import { findHeaderDefect, type HeaderDefect } from './header-block.ts';
import type { HeaderAccount } from './header-budget.ts';

const PREFACE_BYTES = 24;
const FRAME_HEAD_BYTES = 9;
const HEADERS = 1;
const CONTINUATION = 9;
const END_HEADERS = 0x4;
const PADDED = 0x8;
const PRIORITY = 0x20;
const PRIORITY_BYTES = 5;
/** Maximum rejected streams that are pending; only a client that sends this many at once reaches it. */
const MOST_DEFECTIVE = 1024;

/**
 * Inspects the frames of an HTTP/2 connection and finds requests with forbidden header names or values.
 * nghttp2 drops such headers and accepts the request, which would then run as another user: without its
 * `Impersonate-User`, or with the certificate instead of the token.
 */
export class Http2HeaderInspector {
  /** Set when the client has too many pending malformed requests, or exceeds the memory limit for headers. */
  hasOverflowed = false;
  readonly #mostBytes: number;
  readonly #account: HeaderAccount;
  readonly #defective = new Set<number>();
  #isTableDefective = false;
  #lastStream = 0;
  #toSkip = PREFACE_BYTES;
  readonly #head = Buffer.alloc(FRAME_HEAD_BYTES);
  #headBytes = 0;
  #type = -1;
  #flags = 0;
  #stream = 0;
  /** Remaining bytes of the current frame with headers. */
  #remaining = 0;
  readonly #payload = new GrowingBuffer();
  readonly #block = new GrowingBuffer();
  #blockBytes = 0;

  /** @param mostBytes maximum size of a header block; a larger one is rejected */
  constructor(mostBytes: number, account: HeaderAccount) {
    this.#mostBytes = mostBytes;
    this.#account = account;
  }

  /**
   * Whether a request has a forbidden header, or may refer to one by index. Must be called once per stream.
   */
  rejects(stream: number): boolean {
    return this.#defective.delete(stream) || this.#isTableDefective;
  }

  /** Whether every further request will be rejected. */
  get exhausted(): boolean {
    return this.#isTableDefective;
  }

  /** Processes the next bytes, before the session receives them. */
  push(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length) {
      if (this.#toSkip > 0) {
        const skipped = Math.min(this.#toSkip, chunk.length - at);
        this.#toSkip -= skipped;
        at += skipped;
      } else if (this.#remaining > 0) {
        const taken = Math.min(this.#remaining, chunk.length - at);
        this.#readPayload(chunk.subarray(at, at + taken));
        at += taken;
      } else {
        const taken = Math.min(FRAME_HEAD_BYTES - this.#headBytes, chunk.length - at);
        if (taken === FRAME_HEAD_BYTES && this.#headBytes === 0) this.#onFrameStart(chunk, at);
        else this.#readFrameHead(chunk.subarray(at, at + taken));
        at += taken;
      }
    }
  }

  /** Releases memory when the connection has ended. */
  stop(): void {
    this.#account.reserve(0);
  }

  #readFrameHead(part: Buffer): void {
    this.#headBytes += part.copy(this.#head, this.#headBytes);
    if (this.#headBytes < FRAME_HEAD_BYTES) return;
    this.#headBytes = 0;
    this.#onFrameStart(this.#head, 0);
  }

  #onFrameStart(bytes: Buffer, at: number): void {
    const length = bytes.readUIntBE(at, 3);
    this.#type = bytes[at + 3]!;
    this.#flags = bytes[at + 4]!;
    this.#stream = bytes.readUInt32BE(at + 5) & 0x7fffffff;
    if (this.#type !== HEADERS && this.#type !== CONTINUATION) this.#toSkip = length;
    else if (length > 0) this.#remaining = length;
    else this.#onFrameEnd(bytes.subarray(0, 0));
  }

  /** Processes a part of a frame with headers; most frames come in one part. */
  #readPayload(part: Buffer): void {
    this.#remaining -= part.length;
    this.#blockBytes += part.length;
    const isWhole = this.#remaining === 0 && this.#payload.length === 0;
    if (isWhole) this.#onFrameEnd(part);
    else {
      if (this.#blockBytes <= this.#mostBytes) this.#payload.append(part);
      if (this.#remaining === 0) this.#onFrameEnd(this.#payload.take());
      else if (!this.#account.reserve(this.#blockBytes)) this.hasOverflowed = true;
    }
  }

  #onFrameEnd(payload: Buffer): void {
    const part = this.#type === HEADERS ? fragment(payload, this.#flags) : payload;
    if ((this.#flags & END_HEADERS) !== 0 && this.#block.length === 0) {
      this.#onBlockEnd(part);
      return;
    }
    if (this.#blockBytes <= this.#mostBytes) this.#block.append(part);
    if ((this.#flags & END_HEADERS) !== 0) this.#onBlockEnd(this.#block.take());
    else if (!this.#account.reserve(this.#blockBytes)) this.hasOverflowed = true;
  }

  #onBlockEnd(block: Buffer): void {
    const defect: HeaderDefect = this.#blockBytes > this.#mostBytes ? 'remembered' : findHeaderDefect(block);
    this.#blockBytes = 0;
    this.#account.reserve(0);
    // Trailers arrive on an existing stream and are ignored.
    const isRequest = this.#stream > this.#lastStream;
    if (isRequest) this.#lastStream = this.#stream;
    if (defect === 'none') return;
    if (defect === 'remembered') this.#isTableDefective = true;
    if (isRequest) this.#defective.add(this.#stream);
    if (this.#defective.size > MOST_DEFECTIVE) this.hasOverflowed = true;
  }
}

/** A growing buffer for parts of any size. */
class GrowingBuffer {
  length = 0;
  #bytes = Buffer.alloc(0);

  append(part: Buffer): void {
    if (this.length + part.length > this.#bytes.length) {
      const grown = Buffer.allocUnsafeSlow(Math.max(4096, 2 * (this.length + part.length)));
      this.#bytes.copy(grown, 0, 0, this.length);
      this.#bytes = grown;
    }
    part.copy(this.#bytes, this.length);
    this.length += part.length;
  }

  /** Returns the contents and resets. */
  take(): Buffer {
    const taken = this.#bytes.subarray(0, this.length);
    this.#bytes = Buffer.alloc(0);
    this.length = 0;
    return taken;
  }
}

/** The header block in a HEADERS frame, without padding and priority. */
function fragment(payload: Buffer, flags: number): Buffer {
  const padding = (flags & PADDED) === 0 ? 0 : (payload[0] ?? 0);
  const start = ((flags & PADDED) === 0 ? 0 : 1) + ((flags & PRIORITY) === 0 ? 0 : PRIORITY_BYTES);
  return payload.subarray(start, Math.max(start, payload.length - padding));
}
