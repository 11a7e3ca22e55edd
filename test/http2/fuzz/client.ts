import { huffmanLength, writeHuffman } from '../../../src/http2/hpack/huffman-encoder.ts';
import { STREAM_WINDOW } from '../../../src/http2/limits.ts';
import { Flag, frameBytes as frame, PREFACE, uint32 } from '../../connection/frames.ts';
import { ServerChecks } from './checks.ts';
import type { Random } from './random.ts';

const FRAME_BYTES = 16_384;
const INITIAL_WINDOW = 65_535;
const LARGEST_WINDOW = 2 ** 31 - 1;
const PADDED = 8;
const PRIORITY = 0x20;

interface Upload {
  /** Bytes still to send. */
  rest: number;
  sent: number;
  readonly length: number;
  window: number;
}

const PATTERN = Buffer.from(Array.from({ length: 512 * 1024 }, (_, index) => index & 0xff));

/** Bytes of the body of a stream: every stream and place has its own. */
export const bodyBytes = (stream: number, offset: number, length: number): Buffer => {
  const start = (stream * 7 + offset) & 0xff;
  return PATTERN.subarray(start, start + length);
};

/**
 * A client that keeps to the protocol and does everything that it permits, at random. Its methods return the bytes to
 * send.
 */
export class FuzzClient {
  readonly checks = new ServerChecks();
  readonly uploads = new Map<number, Upload>();
  nextStream = 1;
  readonly #random: Random;
  #sentOnConnection = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  start(): Buffer {
    return Buffer.concat([Buffer.from(PREFACE), this.#settings()]);
  }

  /** Bytes of one more step. */
  step(): Buffer {
    const random = this.#random;
    const kind = random.next();
    if (kind < 0.35) return this.#request();
    if (kind < 0.6) return this.#upload(random.pick([...this.uploads.keys()]));
    if (kind < 0.75) return this.#windowUpdate();
    if (kind < 0.8) return this.#reset();
    if (kind < 0.85) return frame(6, 0, 0, random.bytes(8));
    if (kind < 0.9) return this.#settings();
    if (kind < 0.95) return this.#priority();
    return frame(10 + random.below(200), random.below(256), random.below(50), random.bytes(random.below(40)));
  }

  /** Windows for all responses. */
  openWindows(): Buffer {
    this.checks.configured(1 << 24);
    this.checks.widened(0, 1 << 28);
    const settings = frame(4, 0, 0, Buffer.concat([Buffer.from([0, 4]), uint32(1 << 24)]));
    return Buffer.concat([settings, frame(8, 0, 0, uint32(1 << 28))]);
  }

  /** More of all bodies, except of those that the server does not want any more. */
  continueUploads(): Buffer {
    const parts: Buffer[] = [];
    for (const id of this.uploads.keys()) {
      const { hasEnded, isReset } = this.checks.streams.get(id)!;
      if (isReset || id > this.checks.lastStream) this.uploads.delete(id);
      else {
        const data = this.#upload(id);
        // After an early response clients give up, or end the request.
        parts.push(hasEnded && (data.length === 0 || this.#random.chance(0.5)) ? this.#cancel(id) : data);
      }
    }
    return Buffer.concat(parts);
  }

  #settings(): Buffer {
    const random = this.#random;
    const parts: Buffer[] = [];
    let window: number | undefined;
    if (random.chance(0.5)) {
      window = random.pick([0, 1, 100, 16_384, INITIAL_WINDOW, 1 << 20]);
      parts.push(Buffer.from([0, 4]), uint32(window));
    }
    if (random.chance(0.3)) parts.push(Buffer.from([0, 1]), uint32(random.pick([0, 100, 4096, 65_536])));
    if (random.chance(0.3)) parts.push(Buffer.from([0, 2]), uint32(0));
    if (random.chance(0.3)) parts.push(Buffer.from([0, 200]), uint32(random.below(1000)));
    this.checks.configured(window);
    return frame(4, 0, 0, Buffer.concat(parts));
  }

  #request(): Buffer {
    const random = this.#random;
    const id = this.nextStream;
    this.nextStream += random.chance(0.9) ? 2 : 4;
    const length = random.chance(0.5) ? random.pick([0, 1, 1000, 70_000, 400_000]) : undefined;
    const fields = [':method', length === undefined ? 'GET' : 'POST', ':scheme', 'https', ':path', `/${id}`];
    fields.push(':authority', 'localhost', 'accept', 'x'.repeat(random.below(100)) || 'a');
    if (length !== undefined && random.chance(0.5)) fields.push('content-length', String(length));
    if (random.chance(0.3)) fields.push('authorization', `Bearer ${'t'.repeat(random.below(50))}a`);
    if (length !== undefined) this.uploads.set(id, { rest: length, sent: 0, length, window: STREAM_WINDOW });
    this.checks.opened(id);
    return this.#headers(id, this.#block(fields), length === undefined);
  }

  #headers(id: number, block: Buffer, endsStream: boolean): Buffer {
    const random = this.#random;
    const cuts = random.chance(0.3) ? random.below(5) : 0;
    const parts: Buffer[] = [];
    let from = 0;
    for (let index = 0; index <= cuts; index += 1) {
      const isLast = index === cuts;
      const to = isLast ? block.length : from + random.below(block.length - from + 1);
      let flags = isLast ? Flag.endHeaders : 0;
      let payload: Buffer = block.subarray(from, to);
      if (index === 0) {
        if (endsStream) flags |= Flag.endStream;
        if (random.chance(0.2)) {
          flags |= PRIORITY;
          payload = Buffer.concat([uint32(id + 2), Buffer.of(random.below(256)), payload]);
        }
        if (random.chance(0.2)) {
          flags |= PADDED;
          payload = this.#padded(payload);
        }
      }
      parts.push(frame(index === 0 ? 1 : 9, flags, id, payload));
      from = to;
    }
    return Buffer.concat(parts);
  }

  #padded(payload: Buffer): Buffer {
    const padding = this.#random.below(256);
    return Buffer.concat([Buffer.of(padding), payload, Buffer.alloc(padding)]);
  }

  /** Literal fields of all kinds. */
  #block(fields: readonly string[]): Buffer {
    const parts: Buffer[] = [];
    for (let index = 0; index < fields.length; index += 2) {
      parts.push(Buffer.of(this.#random.pick([0, 0x10, 0x40])));
      parts.push(this.#text(fields[index]!), this.#text(fields[index + 1]!));
    }
    return Buffer.concat(parts);
  }

  #text(text: string): Buffer {
    if (this.#random.chance(0.5)) return Buffer.concat([Buffer.of(text.length), Buffer.from(text)]);
    const coded = Buffer.alloc(huffmanLength(text));
    writeHuffman(text, coded, 0);
    return Buffer.concat([Buffer.of(0x80 | coded.length), coded]);
  }

  /** DATA of an upload, within the windows. */
  #upload(id: number | undefined): Buffer {
    const random = this.#random;
    const upload = id === undefined ? undefined : this.uploads.get(id);
    if (id === undefined || upload === undefined) return Buffer.alloc(0);
    const room = Math.min(
      upload.window + (this.checks.credits.get(id) ?? 0) - upload.sent,
      this.checks.receiveWindow - this.#sentOnConnection,
    );
    const isPadded = random.chance(0.2);
    const size = Math.min(
      upload.rest,
      FRAME_BYTES - 300,
      room - (isPadded ? 300 : 0),
      1 + random.below(40_000),
    );
    if (size < 0 || (size === 0 && upload.rest > 0)) return Buffer.alloc(0);
    const offset = upload.length - upload.rest;
    const data = bodyBytes(id, offset, size);
    upload.rest -= size;
    const endsWithTrailers = upload.rest === 0 && random.chance(0.2);
    const endsStream = upload.rest === 0 && !endsWithTrailers;
    const payload = isPadded ? this.#padded(data) : data;
    upload.sent += payload.length;
    this.#sentOnConnection += payload.length;
    if (upload.rest === 0) this.uploads.delete(id);
    const flags = (endsStream ? Flag.endStream : 0) | (isPadded ? PADDED : 0);
    const sent = frame(0, flags, id, payload);
    if (!endsWithTrailers) return sent;
    return Buffer.concat([sent, this.#headers(id, this.#block(['x-checksum', 'abc']), true)]);
  }

  #windowUpdate(): Buffer {
    const random = this.#random;
    const open = this.checks.unfinished;
    const id = random.chance(0.5) || open.length === 0 ? 0 : random.pick(open);
    const bytes = random.pick([1, 100, 5000, 100_000]);
    this.checks.widened(id, bytes);
    return frame(8, 0, id, uint32(Math.min(bytes, LARGEST_WINDOW)));
  }

  #priority(): Buffer {
    const id = 1 + 2 * this.#random.below(100);
    return frame(2, 0, id, Buffer.concat([uint32(id + 2), Buffer.of(1)]));
  }

  #reset(): Buffer {
    const id = this.#random.pick(this.checks.unfinished);
    return id === undefined ? Buffer.alloc(0) : this.#cancel(id);
  }

  #cancel(id: number): Buffer {
    this.uploads.delete(id);
    this.checks.cancelled(id);
    return frame(3, 0, id, uint32(8));
  }
}
