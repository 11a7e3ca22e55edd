import { controlFrame } from './control-frames.ts';
import { FrameRates } from './frame-rates.ts';
import { FrameReader, type FrameSink, type PayloadUse } from './frame-reader.ts';
import { HeaderBlocks } from './header-blocks.ts';
import { CONNECTION_WINDOW, MOST_SETTINGS } from './limits.ts';
import {
  ConnectionError,
  ErrorCode,
  Flag,
  FRAME_BYTES,
  FrameType,
  LARGEST_FRAME_SIZE,
  LARGEST_WINDOW,
  numberFrame,
  readUint32,
  SettingId,
} from './protocol.ts';
import type { Http2Session } from './session.ts';
import type { Http2Stream } from './stream.ts';

/** Credit for the connection's window is sent when a quarter of it was used. */
const CREDIT_AT = CONNECTION_WINDOW / 4;

const protocolError = (message: string): ConnectionError =>
  new ConnectionError(ErrorCode.protocolError, message);
const sizeError = (message: string): ConnectionError =>
  new ConnectionError(ErrorCode.frameSizeError, message);

/** Processes the frames of a client. */
export class Incoming implements FrameSink {
  readonly #session: Http2Session;
  readonly #reader = new FrameReader(this);
  readonly #headers: HeaderBlocks;
  readonly #rates: FrameRates;
  /** When the first check of deadlines found the client's part of the handshake incomplete. */
  #waitingSince: number | undefined;
  #hasSettings = false;
  #isAcknowledged = false;
  #window = CONNECTION_WINDOW;
  /** The stream of the current DATA frame; undefined when its bytes are dropped. */
  #dataStream: Http2Stream | undefined;
  #endsStream = false;

  constructor(session: Http2Session) {
    this.#session = session;
    this.#rates = new FrameRates(session.environment.now);
    this.#headers = new HeaderBlocks(session, this.#rates);
  }

  /** Processes received bytes. @throws ConnectionError */
  push(chunk: Buffer): void {
    this.#reader.push(chunk);
  }

  /** An error if the client has missed a deadline. */
  overdue(now: number): ConnectionError | undefined {
    if (!this.#isAcknowledged) {
      const { headerTimeout, settingsTimeout } = this.#session.environment.limits;
      this.#waitingSince ??= now;
      const waited = now - this.#waitingSince;
      if (!this.#hasSettings && waited >= headerTimeout) return protocolError('the client sends no settings');
      if (this.#hasSettings && waited >= settingsTimeout)
        return new ConnectionError(ErrorCode.settingsTimeout, 'the client does not acknowledge the settings');
    }
    return this.#headers.overdue(now);
  }

  /** DATA of this side permits WINDOW_UPDATE frames of the client. */
  creditWindowUpdates(bytes: number): void {
    this.#rates.creditWindowUpdates(bytes);
  }

  onFrameStart(type: number, flags: number, stream: number, length: number): PayloadUse {
    if (length > FRAME_BYTES) throw sizeError('the frame is larger than the settings allow');
    if (!this.#hasSettings && (type !== FrameType.settings || (flags & Flag.ack) !== 0))
      throw protocolError('the first frame is not SETTINGS');
    if (this.#headers.isOpen && (type !== FrameType.continuation || stream !== this.#headers.stream))
      throw protocolError('a header block is interrupted by another frame');
    switch (type) {
      case FrameType.data:
        if (stream === 0) throw protocolError('DATA on stream 0');
        return 'pieces';
      case FrameType.headers:
        if (stream % 2 === 0) throw protocolError('HEADERS on a stream that a client cannot open');
        return 'whole';
      case FrameType.continuation:
        if (!this.#headers.isOpen) throw protocolError('CONTINUATION without HEADERS');
        return 'whole';
      case FrameType.priority:
        if (stream === 0) throw protocolError('PRIORITY on stream 0');
        return 'whole';
      case FrameType.reset:
        if (this.#isIdle(stream)) throw protocolError('RST_STREAM on an idle stream');
        if (length !== 4) throw sizeError('RST_STREAM has a wrong length');
        return 'whole';
      case FrameType.settings:
        this.#checkSettings(flags, stream, length);
        return 'whole';
      case FrameType.pushPromise:
        throw protocolError('a client cannot push');
      case FrameType.ping:
        if (stream !== 0) throw protocolError('PING on a stream');
        if (length !== 8) throw sizeError('PING has a wrong length');
        return 'whole';
      case FrameType.goaway:
        if (stream !== 0) throw protocolError('GOAWAY on a stream');
        if (length < 8) throw sizeError('GOAWAY has a wrong length');
        return 'skip';
      case FrameType.windowUpdate:
        if (length !== 4) throw sizeError('WINDOW_UPDATE has a wrong length');
        return 'whole';
      default:
        this.#rates.take('unknown');
        return 'skip';
    }
  }

  onGathered(bytes: number): void {
    this.#headers.reserve(bytes);
  }

  onFrame(type: number, flags: number, id: number, bytes: Buffer, start: number, end: number): void {
    switch (type) {
      case FrameType.headers:
        this.#headers.start(flags, id, bytes, start, end);
        break;
      case FrameType.continuation:
        this.#headers.continue(flags, bytes, start, end);
        break;
      default:
        this.#headers.release();
        this.#onControl(type, flags, id, bytes, start, end);
    }
  }

  #onControl(type: number, flags: number, id: number, bytes: Buffer, start: number, end: number): void {
    switch (type) {
      case FrameType.priority:
        this.#onPriority(id, bytes, start, end);
        break;
      case FrameType.reset:
        this.#rates.takeReset();
        this.#session.streams.get(id)?.close(false);
        // From now on its frames are no accident of timing, even if this side has reset the stream before.
        this.#session.forgetReset(id);
        break;
      case FrameType.settings:
        if ((flags & Flag.ack) === 0) this.#onSettings(bytes, start, end);
        else this.#isAcknowledged = true;
        break;
      case FrameType.ping:
        this.#onPing(flags, bytes, start, end);
        break;
      case FrameType.windowUpdate:
        this.#onWindowUpdate(id, readUint32(bytes, start) & 0x7fffffff);
        break;
    }
  }

  onDataStart(flags: number, id: number, length: number, dataBytes: number): void {
    this.#chargeConnection(length);
    this.#endsStream = (flags & Flag.endStream) !== 0;
    this.#dataStream = undefined;
    if (dataBytes === 0 && !this.#endsStream) this.#rates.take('emptyData');
    const stream = this.#session.streams.get(id);
    if (stream === undefined || stream.hasRequestEnded || stream.body === undefined) {
      this.#refuseData(id, stream);
      return;
    }
    const { body, head } = stream;
    if (!body.charge(length, dataBytes)) this.#resetStream(stream.id, ErrorCode.flowControlError);
    else if (head.contentLength !== undefined && body.receivedBytes > head.contentLength)
      this.#resetStream(stream.id, ErrorCode.protocolError);
    else this.#dataStream = stream;
  }

  onDataPiece(bytes: Buffer, start: number, end: number): void {
    if (this.#dataStream?.isClosed === false) this.#dataStream.body!.push(bytes, start, end);
  }

  onDataEnd(): void {
    const stream = this.#dataStream;
    this.#dataStream = undefined;
    // It may have been reset meanwhile; after an early response it is still there.
    if (stream !== undefined && this.#endsStream && this.#session.streams.has(stream.id))
      this.#headers.endRequest(stream);
  }

  #checkSettings(flags: number, stream: number, length: number): void {
    if (stream !== 0) throw protocolError('SETTINGS on a stream');
    const isAck = (flags & Flag.ack) !== 0;
    if (isAck ? length !== 0 : length % 6 !== 0) throw sizeError('SETTINGS has a wrong length');
    if (length > MOST_SETTINGS * 6)
      throw new ConnectionError(ErrorCode.enhanceYourCalm, 'too many settings in one frame');
    this.#rates.take('settings');
  }

  #onSettings(bytes: Buffer, start: number, end: number): void {
    this.#hasSettings = true;
    for (let at = start; at < end; at += 6)
      this.#applySetting((bytes[at]! << 8) | bytes[at + 1]!, readUint32(bytes, at + 2));
    this.#session.outgoing.sendControl(controlFrame(FrameType.settings, Flag.ack, 0));
  }

  #applySetting(id: number, value: number): void {
    const session = this.#session;
    if (id === SettingId.headerTableSize) session.encoder.setMaximumTableSize(value);
    else if (id === SettingId.enablePush) {
      if (value > 1) throw protocolError('ENABLE_PUSH is neither 0 nor 1');
    } else if (id === SettingId.frameSize) {
      if (value < FRAME_BYTES || value > LARGEST_FRAME_SIZE)
        throw protocolError('MAX_FRAME_SIZE is out of range');
    } else if (id === SettingId.initialWindow) {
      if (value > LARGEST_WINDOW) throw windowError('INITIAL_WINDOW_SIZE is out of range');
      const change = value - session.initialWindow;
      session.initialWindow = value;
      for (const stream of session.streams.values())
        if (!stream.widen(change))
          throw windowError('INITIAL_WINDOW_SIZE makes the window of a stream too large');
    }
  }

  #onPing(flags: number, bytes: Buffer, start: number, end: number): void {
    if ((flags & Flag.ack) !== 0) {
      if (readUint32(bytes, start) === 0) this.#session.onPing(readUint32(bytes, start + 4));
      return;
    }
    this.#rates.take('ping');
    this.#session.outgoing.sendControl(controlFrame(FrameType.ping, Flag.ack, 0, bytes.subarray(start, end)));
  }

  /** Checked, and ignored: RFC 9113, section 5.3.2. */
  #onPriority(id: number, bytes: Buffer, start: number, end: number): void {
    this.#rates.take('priority');
    if (end - start !== 5) this.#resetOpen(id, ErrorCode.frameSizeError, 'PRIORITY has a wrong length');
    else if ((readUint32(bytes, start) & 0x7fffffff) === id)
      this.#resetOpen(id, ErrorCode.protocolError, 'a stream depends on itself');
  }

  #onWindowUpdate(id: number, increment: number): void {
    this.#rates.take('windowUpdate');
    if (id === 0) {
      if (increment === 0) throw protocolError('WINDOW_UPDATE by 0');
      if (!this.#session.outgoing.widen(increment))
        throw windowError('the window of the connection is too large');
      return;
    }
    if (this.#isIdle(id)) throw protocolError('WINDOW_UPDATE on an idle stream');
    if (increment === 0) this.#resetOpen(id, ErrorCode.protocolError, 'WINDOW_UPDATE by 0');
    else if (this.#session.streams.get(id)?.widen(increment) === false)
      this.#resetStream(id, ErrorCode.flowControlError);
  }

  /** The window of the connection is credited when bytes arrive, whoever reads them. */
  #chargeConnection(bytes: number): void {
    this.#window -= bytes;
    if (this.#window < 0) throw windowError('DATA exceeds the window of the connection');
    if (CONNECTION_WINDOW - this.#window < CREDIT_AT) return;
    this.#session.outgoing.sendControl(
      numberFrame(FrameType.windowUpdate, 0, CONNECTION_WINDOW - this.#window),
    );
    this.#window = CONNECTION_WINDOW;
  }

  /** DATA on a stream that is not open for it. */
  #refuseData(id: number, stream: Http2Stream | undefined): void {
    const session = this.#session;
    if (this.#isIdle(id)) throw protocolError('DATA on an idle stream');
    if (id > session.lastStream || (stream === undefined && session.wasReset(id))) return;
    this.#resetStream(id, ErrorCode.streamClosed);
  }

  /** Resets a stream for an error of the client. */
  #resetStream(id: number, code: ErrorCode): void {
    this.#headers.resetStream(id, code);
  }

  /** Whether nobody has opened the stream. After the final GOAWAY, later streams of the client are ignored. */
  #isIdle(id: number): boolean {
    const { lastStream, ignoresNewStreams } = this.#session;
    return id % 2 === 0 || (id > lastStream && !ignoresNewStreams);
  }

  /** For an error that is never an accident of timing: on a stream that is not open it ends the connection. */
  #resetOpen(id: number, code: ErrorCode, message: string): void {
    if (!this.#session.streams.has(id)) throw new ConnectionError(code, message);
    this.#resetStream(id, code);
  }
}

const windowError = (message: string): ConnectionError =>
  new ConnectionError(ErrorCode.flowControlError, message);
