import { HpackDecoder } from '../../../src/http2/hpack/decoder.ts';

const HEAD = 9;
const MOST_FRAME = 16_384;
const NO_LIMIT = 1 << 24;
const INITIAL_WINDOW = 65_535;

interface StreamState {
  window: number;
  hasHead: boolean;
  hasEnded: boolean;
  isReset: boolean;
  isCancelled: boolean;
  bytes: number;
  status: string;
}

/**
 * Reads everything that a server sends, as a strict client does, and throws an error for what RFC 9113 forbids:
 * frame sizes, flow control, the order of frames on a stream, header blocks that do not decode.
 */
export class ServerChecks {
  readonly streams = new Map<number, StreamState>();
  /** The code of the last GOAWAY; undefined without one. */
  goaway: number | undefined;
  /** Later streams are not served. */
  lastStream = 2 ** 31 - 1;
  settings = 0;
  pongs = 0;
  /** Windows that the server grants. */
  receiveWindow = INITIAL_WINDOW;
  /** Sum of the WINDOW_UPDATE frames by stream. */
  readonly credits = new Map<number, number>();
  initialWindow = INITIAL_WINDOW;
  /** Changes of the initial window, one for each SETTINGS that is not acknowledged, with the streams of that time. */
  readonly #resizes: { readonly change: number; readonly streams: readonly StreamState[] }[] = [];
  #connectionWindow = INITIAL_WINDOW;
  readonly #decoder = new HpackDecoder(4096);
  #rest = Buffer.alloc(0);
  /** The stream of an incomplete header block. */
  #open: number | undefined;
  #block = Buffer.alloc(0);
  #endsStream = false;

  /** The client has sent HEADERS for a stream. */
  opened(stream: number): void {
    if (!this.streams.has(stream))
      this.streams.set(stream, {
        window: this.initialWindow,
        hasHead: false,
        hasEnded: false,
        isReset: false,
        isCancelled: false,
        bytes: 0,
        status: '',
      });
  }

  /** The client has sent WINDOW_UPDATE. */
  widened(stream: number, bytes: number): void {
    if (stream === 0) this.#connectionWindow += bytes;
    else if (this.streams.has(stream)) this.streams.get(stream)!.window += bytes;
  }

  /** The client has sent SETTINGS; the server's use of windows changes with its acknowledgement. */
  configured(initialWindow = this.initialWindow): void {
    this.#resizes.push({ change: initialWindow - this.initialWindow, streams: [...this.streams.values()] });
    this.initialWindow = initialWindow;
  }

  /** The client has reset the stream: what the server sends until it knows does not matter. */
  cancelled(stream: number): void {
    const state = this.streams.get(stream);
    if (state !== undefined) state.isCancelled = true;
  }

  /** Streams that have no complete response and were not reset. */
  get unfinished(): number[] {
    return [...this.streams]
      .filter(
        ([id, state]) => !state.hasEnded && !state.isReset && !state.isCancelled && id <= this.lastStream,
      )
      .map(([id]) => id);
  }

  read(bytes: Buffer): void {
    this.#rest = Buffer.concat([this.#rest, bytes]);
    while (this.#rest.length >= HEAD) {
      const length = this.#rest.readUIntBE(0, 3);
      if (length > MOST_FRAME) throw new Error(`a frame of ${length} bytes`);
      if (this.#rest.length < HEAD + length) return;
      const payload = this.#rest.subarray(HEAD, HEAD + length);
      this.#frame(this.#rest[3]!, this.#rest[4]!, this.#rest.readUInt32BE(5), payload);
      this.#rest = this.#rest.subarray(HEAD + length);
    }
  }

  #frame(type: number, flags: number, id: number, payload: Buffer): void {
    if (this.#open !== undefined && (type !== 9 || id !== this.#open))
      throw new Error(`frame ${type} interrupts a header block`);
    if (this.settings === 0 && type !== 4) throw new Error('the first frame is not SETTINGS');
    switch (type) {
      case 0:
        this.#data(flags, id, payload);
        break;
      case 1:
        this.#endsStream = (flags & 1) !== 0;
        this.#headers(flags, id, payload);
        break;
      case 3: {
        const stream = this.#stream(id, 'RST_STREAM');
        stream.isReset = true;
        break;
      }
      case 4:
        if (id !== 0) throw new Error('SETTINGS on a stream');
        if ((flags & 1) !== 0) this.#acknowledged();
        else this.settings += 1;
        break;
      case 6:
        if (id !== 0 || payload.length !== 8) throw new Error('a wrong PING');
        if ((flags & 1) !== 0) this.pongs += 1;
        break;
      case 7:
        this.lastStream = payload.readUInt32BE(0);
        this.goaway = payload.readUInt32BE(4);
        break;
      case 8: {
        const increment = payload.readUInt32BE(0);
        if (increment === 0 || increment > 2 ** 31 - 1) throw new Error(`WINDOW_UPDATE by ${increment}`);
        if (id === 0) this.receiveWindow += increment;
        else {
          this.#stream(id, 'WINDOW_UPDATE');
          this.credits.set(id, (this.credits.get(id) ?? 0) + increment);
        }
        break;
      }
      case 9:
        if (this.#open === undefined) throw new Error('CONTINUATION without HEADERS');
        this.#headers(flags, id, payload);
        break;
      default:
        throw new Error(`a frame of type ${type}`);
    }
  }

  #acknowledged(): void {
    const resize = this.#resizes.shift();
    if (resize === undefined) throw new Error('an acknowledgement of no SETTINGS');
    for (const stream of resize.streams) stream.window += resize.change;
  }

  #data(flags: number, id: number, payload: Buffer): void {
    const stream = this.#stream(id, 'DATA');
    if (!stream.hasHead) throw new Error('DATA before HEADERS');
    if (stream.hasEnded || stream.isReset) throw new Error('DATA after the end of the stream');
    stream.window -= payload.length;
    this.#connectionWindow -= payload.length;
    stream.bytes += payload.length;
    if (payload.length > 0 && (stream.window < 0 || this.#connectionWindow < 0))
      throw new Error(
        `DATA of ${payload.length} bytes exceeds a window: ${stream.window}, ${this.#connectionWindow}`,
      );
    if ((flags & 1) !== 0) stream.hasEnded = true;
  }

  #headers(flags: number, id: number, payload: Buffer): void {
    const stream = this.#stream(id, 'HEADERS');
    this.#block = Buffer.concat([this.#block, payload]);
    this.#open = id;
    if ((flags & 4) === 0) return;
    const { fields } = this.#decoder.decode(this.#block, 0, this.#block.length, NO_LIMIT, NO_LIMIT);
    this.#block = Buffer.alloc(0);
    this.#open = undefined;
    if (fields[0] !== ':status' || stream.hasHead) throw new Error(`wrong HEADERS: ${fields.join(' ')}`);
    if (stream.hasEnded || stream.isReset) throw new Error('HEADERS after the end of the stream');
    stream.hasHead = Number(fields[1]) >= 200;
    stream.status = fields[1]!;
    if (this.#endsStream) stream.hasEnded = true;
  }

  #stream(id: number, frame: string): StreamState {
    const stream = this.streams.get(id);
    if (stream === undefined) throw new Error(`${frame} on stream ${id}, which the client has not opened`);
    return stream;
  }
}
