import { type HeaderFault, headerFault } from './header-block.ts';

const PREFACE_BYTES = 24;
const FRAME_HEAD_BYTES = 9;
const HEADERS = 1;
const CONTINUATION = 9;
const END_HEADERS = 0x4;
const PADDED = 0x8;
const PRIORITY = 0x20;
const PRIORITY_BYTES = 5;
/** Streams with faults that are remembered until they are asked for; a client has to send as many at once to get there. */
const MOST_FAULTY = 1024;

/**
 * Reads along what a client sends on an HTTP/2 connection, and finds requests with forbidden header names or values. nghttp2
 * leaves such headers out and lets the request go on, which would then be another's: without its `Impersonate-User`, or with
 * the certificate instead of the token.
 */
export class Http2HeaderWatch {
  /** Set when the client has sent more faulty requests than anybody asked for. */
  hasOverflowed = false;
  readonly #mostBytes: number;
  readonly #faulty = new Set<number>();
  #isTableFaulty = false;
  #lastStream = 0;
  #toSkip = PREFACE_BYTES;
  #head: Buffer[] = [];
  #headBytes = 0;
  #type = -1;
  #flags = 0;
  #stream = 0;
  /** Bytes of the frame that are still to come; its header block is collected where `#isBlock` says so. */
  #remaining = 0;
  #isBlock = false;
  #payload: Buffer[] = [];
  #block: Buffer[] = [];
  #blockBytes = 0;

  /** @param mostBytes of a header block; a larger one counts as faulty */
  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  /** Whether a request came with a header that must not be ignored, or may have named one by its place in the table. Asked once. */
  isFaulty(stream: number): boolean {
    return this.#faulty.delete(stream) || this.#isTableFaulty;
  }

  /** Whether every further request will be faulty. */
  get isOver(): boolean {
    return this.#isTableFaulty;
  }

  /** Takes the next bytes, before they go to the session. */
  push(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length) {
      if (this.#toSkip > 0) {
        const skipped = Math.min(this.#toSkip, chunk.length - at);
        this.#toSkip -= skipped;
        at += skipped;
      } else if (this.#remaining > 0) {
        const taken = Math.min(this.#remaining, chunk.length - at);
        this.#collect(chunk.subarray(at, at + taken));
        this.#remaining -= taken;
        at += taken;
        if (this.#remaining === 0) this.#frameEnds();
      } else {
        const taken = Math.min(FRAME_HEAD_BYTES - this.#headBytes, chunk.length - at);
        if (taken === FRAME_HEAD_BYTES) this.#frameBegins(chunk, at);
        else this.#takeHead(chunk.subarray(at, at + taken));
        at += taken;
      }
    }
  }

  #takeHead(part: Buffer): void {
    this.#head.push(part);
    this.#headBytes += part.length;
    if (this.#headBytes < FRAME_HEAD_BYTES) return;
    const head = Buffer.concat(this.#head);
    this.#head = [];
    this.#headBytes = 0;
    this.#frameBegins(head, 0);
  }

  #frameBegins(bytes: Buffer, at: number): void {
    const length = bytes.readUIntBE(at, 3);
    this.#type = bytes[at + 3]!;
    this.#flags = bytes[at + 4]!;
    this.#stream = bytes.readUInt32BE(at + 5) & 0x7fffffff;
    this.#isBlock = this.#type === HEADERS || this.#type === CONTINUATION;
    if (this.#isBlock) this.#remaining = length;
    else this.#toSkip = length;
    if (this.#isBlock && length === 0) this.#frameEnds();
  }

  #collect(part: Buffer): void {
    this.#blockBytes += part.length;
    if (this.#blockBytes <= this.#mostBytes) this.#payload.push(part);
  }

  #frameEnds(): void {
    const payload = this.#payload.length === 1 ? this.#payload[0]! : Buffer.concat(this.#payload);
    this.#payload = [];
    this.#block.push(this.#type === HEADERS ? fragment(payload, this.#flags) : payload);
    if ((this.#flags & END_HEADERS) === 0) return;
    const block = this.#block.length === 1 ? this.#block[0]! : Buffer.concat(this.#block);
    const fault: HeaderFault = this.#blockBytes > this.#mostBytes ? 'once' : headerFault(block);
    this.#block = [];
    this.#blockBytes = 0;
    // Trailers come on a stream that has begun; nobody reads them.
    const isRequest = this.#stream > this.#lastStream;
    if (isRequest) this.#lastStream = this.#stream;
    if (fault === 'none') return;
    if (fault === 'remembered') this.#isTableFaulty = true;
    if (isRequest) this.#faulty.add(this.#stream);
    if (this.#faulty.size > MOST_FAULTY) this.hasOverflowed = true;
  }
}

/** The header block in a HEADERS frame, without padding and priority. */
function fragment(payload: Buffer, flags: number): Buffer {
  const padding = (flags & PADDED) === 0 ? 0 : (payload[0] ?? 0);
  const start = ((flags & PADDED) === 0 ? 0 : 1) + ((flags & PRIORITY) === 0 ? 0 : PRIORITY_BYTES);
  return payload.subarray(start, Math.max(start, payload.length - padding));
}
