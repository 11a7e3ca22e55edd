import { ConnectionError, ErrorCode, Flag, FRAME_HEAD_BYTES, PREFACE, readUint32 } from './protocol.ts';

/** What becomes of a frame's payload. */
export type PayloadUse = 'whole' | 'pieces' | 'skip';

/** Receives the frames of a connection. Its methods throw ConnectionError. */
export interface FrameSink {
  /** Called with each frame head, before its payload has arrived. */
  onFrameStart(type: number, flags: number, stream: number, length: number): PayloadUse;
  /** A frame with its payload in `bytes` from `start` to `end`; the bytes are valid during the call only. */
  onFrame(type: number, flags: number, stream: number, bytes: Buffer, start: number, end: number): void;
  /** Called when bytes of an incomplete frame are held. */
  onGathered(bytes: number): void;
  /** A DATA frame starts. @param dataBytes bytes without padding. */
  onDataStart(flags: number, stream: number, length: number, dataBytes: number): void;
  onDataPiece(bytes: Buffer, start: number, end: number): void;
  onDataEnd(): void;
}

const FIRST_GATHERED = 256;

/**
 * Splits the bytes of a client into frames, after the preface. Payloads are not copied when they arrive in one
 * piece; DATA is passed on as it arrives.
 */
export class FrameReader {
  readonly #sink: FrameSink;
  /** Bytes of the preface still to come. */
  #preface = PREFACE.length;
  #head: Buffer | undefined;
  #headBytes = 0;
  #type = 0;
  #flags = 0;
  #stream = 0;
  #length = 0;
  /** Payload bytes of the current frame still to come, padding included. */
  #remaining = 0;
  #use: PayloadUse = 'skip';
  #padding = 0;
  #awaitsPadLength = false;
  #gathered: Buffer | undefined;
  #gatheredBytes = 0;

  constructor(sink: FrameSink) {
    this.#sink = sink;
  }

  /** Processes received bytes. @throws ConnectionError */
  push(chunk: Buffer): void {
    let at = this.#preface === 0 ? 0 : this.#readPreface(chunk);
    while (at < chunk.length) {
      if (this.#remaining > 0) at = this.#readPayload(chunk, at);
      else if (this.#headBytes === 0 && chunk.length - at >= FRAME_HEAD_BYTES) {
        this.#startFrame(chunk, at);
        at += FRAME_HEAD_BYTES;
      } else at = this.#readHead(chunk, at);
    }
  }

  #readPreface(chunk: Buffer): number {
    const taken = Math.min(this.#preface, chunk.length);
    const from = PREFACE.length - this.#preface;
    if (PREFACE.compare(chunk, 0, taken, from, from + taken) !== 0)
      throw new ConnectionError(ErrorCode.protocolError, 'no HTTP/2 preface');
    this.#preface -= taken;
    return taken;
  }

  #readHead(chunk: Buffer, at: number): number {
    this.#head ??= Buffer.allocUnsafe(FRAME_HEAD_BYTES);
    const taken = chunk.copy(this.#head, this.#headBytes, at, at + FRAME_HEAD_BYTES - this.#headBytes);
    this.#headBytes += taken;
    if (this.#headBytes === FRAME_HEAD_BYTES) {
      const head = this.#head;
      this.#head = undefined;
      this.#headBytes = 0;
      this.#startFrame(head, 0);
    }
    return at + taken;
  }

  #startFrame(bytes: Buffer, at: number): void {
    this.#length = (bytes[at]! << 16) | (bytes[at + 1]! << 8) | bytes[at + 2]!;
    this.#type = bytes[at + 3]!;
    this.#flags = bytes[at + 4]!;
    this.#stream = readUint32(bytes, at + 5) & 0x7fffffff;
    this.#remaining = this.#length;
    this.#use = this.#sink.onFrameStart(this.#type, this.#flags, this.#stream, this.#length);
    if (this.#use === 'pieces') this.#startData();
    else if (this.#length === 0 && this.#use === 'whole') this.#finishFrame(bytes, 0, 0);
  }

  #startData(): void {
    this.#padding = 0;
    this.#awaitsPadLength = (this.#flags & Flag.padded) !== 0;
    if (!this.#awaitsPadLength) this.#announceData();
    else if (this.#length === 0) throw paddingError();
  }

  #announceData(): void {
    this.#sink.onDataStart(this.#flags, this.#stream, this.#length, this.#remaining - this.#padding);
    if (this.#remaining === 0) this.#sink.onDataEnd();
  }

  #readPayload(chunk: Buffer, at: number): number {
    const end = Math.min(chunk.length, at + this.#remaining);
    if (this.#use === 'pieces') return this.#readData(chunk, at, end);
    this.#remaining -= end - at;
    if (this.#use === 'skip') return end;
    if (this.#gathered === undefined && this.#remaining === 0) this.#finishFrame(chunk, at, end);
    else this.#gather(chunk, at, end);
    return end;
  }

  #readData(chunk: Buffer, at: number, end: number): number {
    if (this.#awaitsPadLength) {
      this.#awaitsPadLength = false;
      this.#padding = chunk[at]!;
      this.#remaining -= 1;
      if (this.#padding > this.#remaining) throw paddingError();
      this.#announceData();
      return at + 1;
    }
    const dataEnd = Math.min(end, at + this.#remaining - this.#padding);
    this.#remaining -= end - at;
    if (dataEnd > at) this.#sink.onDataPiece(chunk, at, dataEnd);
    if (this.#remaining === 0) this.#sink.onDataEnd();
    return end;
  }

  #gather(chunk: Buffer, at: number, end: number): void {
    const bytes = end - at;
    let target = this.#gathered;
    if (target === undefined || this.#gatheredBytes + bytes > target.length) {
      const most = this.#gatheredBytes + bytes + this.#remaining;
      const capacity = Math.min(most, Math.max(FIRST_GATHERED, 2 * (this.#gatheredBytes + bytes)));
      const grown = Buffer.allocUnsafeSlow(capacity);
      target?.copy(grown, 0, 0, this.#gatheredBytes);
      this.#gathered = target = grown;
    }
    chunk.copy(target, this.#gatheredBytes, at, end);
    this.#gatheredBytes += bytes;
    if (this.#remaining > 0) {
      this.#sink.onGathered(this.#gatheredBytes);
      return;
    }
    const length = this.#gatheredBytes;
    this.#gathered = undefined;
    this.#gatheredBytes = 0;
    this.#finishFrame(target, 0, length);
  }

  #finishFrame(bytes: Buffer, start: number, end: number): void {
    this.#sink.onFrame(this.#type, this.#flags, this.#stream, bytes, start, end);
  }
}

const paddingError = (): ConnectionError =>
  new ConnectionError(ErrorCode.protocolError, 'the padding is longer than the frame');
