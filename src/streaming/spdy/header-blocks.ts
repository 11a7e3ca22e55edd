import { constants, createInflate, type Inflate } from 'node:zlib';
import { BinnacleError } from '../../errors/binnacle-error.ts';
import { HEADER_DICTIONARY } from './dictionary.ts';

/** The headers of a stream, by lower-case name. Values of one name are joined by NUL. */
export type StreamHeaders = ReadonlyMap<string, string>;

/** The peer breaks the rules of SPDY/3.1, or a bound of this implementation. */
export class SpdyError extends BinnacleError {
  override name = 'SpdyError';
  readonly code = 'ERR_BINNACLE_SPDY';
}

/** Largest header block in bytes, not compressed. */
const MAXIMUM_BLOCK = 64 * 1024;
const MAXIMUM_HEADERS = 256;
/** Begins a zlib stream with a window of 32 kB and without a dictionary. */
const ZLIB_HEAD = Buffer.from([0x78, 0x01]);
/** An empty stored block ends each header block, as after a flush: a reader takes all before it then, and no more. */
const FLUSH_MARK = Buffer.from([0, 0, 0, 0xff, 0xff]);
/** Most bytes of a stored block. */
const MAXIMUM_STORED = 0xffff;

/** Writes the header blocks of one connection: a zlib stream whose blocks are stored as they are. */
export class HeaderWriter {
  #hasBegun = false;

  write(headers: StreamHeaders): Buffer {
    const block = encode(headers);
    if (block.length > MAXIMUM_STORED) throw new SpdyError('the headers of a stream are too long');
    const head = Buffer.allocUnsafe(5);
    head.writeUInt8(0, 0);
    head.writeUInt16LE(block.length, 1);
    head.writeUInt16LE(~block.length & 0xffff, 3);
    const begin = this.#hasBegun ? [] : [ZLIB_HEAD];
    this.#hasBegun = true;
    return Buffer.concat([...begin, head, block, FLUSH_MARK]);
  }
}

function encode(headers: StreamHeaders): Buffer {
  const parts: Buffer[] = [number(headers.size)];
  for (const [name, value] of headers)
    for (const text of [name, value]) {
      const bytes = Buffer.from(text, 'utf8');
      parts.push(number(bytes.length), bytes);
    }
  return Buffer.concat(parts);
}

function number(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** Reads the header blocks of one connection, which are one compressed stream. One at a time. */
export class HeaderReader {
  readonly #inflate: Inflate;
  #parts: Buffer[] = [];
  #length = 0;
  #failed: ((error: Error) => void) | undefined;

  constructor() {
    this.#inflate = createInflate({ dictionary: HEADER_DICTIONARY, flush: constants.Z_SYNC_FLUSH });
    this.#inflate.on('data', (part: Buffer) => {
      this.#parts.push(part);
      this.#length += part.length;
      if (this.#length > MAXIMUM_BLOCK)
        this.#inflate.destroy(new SpdyError('the headers of a stream are too long'));
    });
    this.#inflate.on('error', (error) => this.#failed?.(error));
  }

  /** Rejects with SpdyError. */
  async read(compressed: Buffer): Promise<StreamHeaders> {
    if (this.#inflate.destroyed) throw new SpdyError('the header compression has ended');
    this.#parts = [];
    this.#length = 0;
    await new Promise<void>((resolve, reject) => {
      this.#failed = (error) =>
        reject(error instanceof SpdyError ? error : new SpdyError(`headers of a stream: ${error.message}`));
      this.#inflate.write(compressed, () => resolve());
    });
    this.#failed = undefined;
    return decode(Buffer.concat(this.#parts));
  }

  close(): void {
    this.#inflate.destroy();
  }
}

function decode(block: Buffer): StreamHeaders {
  let at = 0;
  const next = (): number => {
    if (at + 4 > block.length) throw new SpdyError('the headers of a stream are cut off');
    at += 4;
    return block.readUInt32BE(at - 4);
  };
  const text = (): string => {
    const length = next();
    if (length > block.length - at) throw new SpdyError('the headers of a stream are cut off');
    at += length;
    return block.toString('utf8', at - length, at);
  };
  const count = next();
  if (count > MAXIMUM_HEADERS) throw new SpdyError('a stream has too many headers');
  const headers = new Map<string, string>();
  for (let index = 0; index < count; index += 1) {
    const name = text().toLowerCase();
    headers.set(name, text());
  }
  return headers;
}
