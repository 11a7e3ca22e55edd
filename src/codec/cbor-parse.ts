import { isUtf8 } from 'node:buffer';
import { setMember } from '../model/object.ts';
import { DecodeError } from './decode-error.ts';
import type { ParsedDocument } from './json-parse.ts';
import { LiteralRecorder } from './number-literals.ts';
import { isLight, LIGHT_WEIGHT, TooManyPartsError } from './parts.ts';
import { decodeUtf8 } from './utf8.ts';

const maximumDepth = 64;
const indefinite = -1;
const breakByte = 0xff;
/**
 * Tags of the expected JSON encoding of bytes (base64url, base64, base16), and the self-described CBOR tag.
 */
const base64Tags = [21, 22, 23];

/**
 * Decodes one CBOR item (RFC 8949) into plain data: text and byte strings become strings, bytes under a
 * base64 tag become base64 strings, other tags are dropped. Integers beyond 2^53 are bigint; whole floats are
 * recorded, since they are not accepted for integers.
 * @throws DecodeError on malformed input, duplicate keys, nesting beyond 64, and numbers that JSON does not
 * have; TooManyPartsError for a document with more parts than the limit
 */
export function parseCbor(bytes: Uint8Array, limit = Number.POSITIVE_INFINITY): ParsedDocument {
  if (bytes.length === 0) throw new DecodeError('EOF');
  return { value: new CborReader(bytes, limit).document(), duplicates: [] };
}

class CborReader {
  private at = 0;
  private readonly literals = new LiteralRecorder();
  private float: string | undefined;
  private parts = 0;
  private readonly view: DataView;

  constructor(
    private readonly bytes: Uint8Array,
    private readonly limit: number,
  ) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  document(): unknown {
    const value = this.item(0);
    const rest = this.bytes.length - this.at;
    if (rest > 0)
      throw new DecodeError(`cbor: ${rest} bytes of extraneous data starting at index ${this.at}`);
    this.literals.attachTo(value);
    return value;
  }

  private item(depth: number): unknown {
    if (depth > maximumDepth) throw new DecodeError(`cbor: exceeded max nested level ${maximumDepth}`);
    const first = this.byte();
    const major = first >> 5;
    const info = first & 31;
    if (major === 7) return this.simple(info);
    const argument = this.argument(info, major);
    switch (major) {
      case 0:
        return integer(argument);
      case 1:
        return integer(-1n - BigInt(argument));
      case 2:
      case 3:
        return this.text(this.string(major, argument), major === 3);
      case 4:
        return this.list(argument, depth);
      case 5:
        return this.map(argument, depth);
      default:
        return this.tagged(Number(argument), depth);
    }
  }

  private tagged(tag: number, depth: number): unknown {
    const next = this.bytes[this.at];
    if (base64Tags.includes(tag) && next !== undefined && next >> 5 === 2) {
      this.at++;
      return this.string(2, this.argument(next & 31, 2)).toString('base64');
    }
    const value = this.item(depth + 1);
    if (tag === 1 && typeof value === 'number' && Math.abs(value) < 253_402_300_800) {
      this.float = undefined;
      return new Date(value * 1000).toISOString().replace(/\.000Z$/, 'Z');
    }
    return value;
  }

  private list(count: number | bigint, depth: number): unknown[] {
    const items: unknown[] = [];
    for (let index = 0; this.more(index, count); index++) {
      this.count(LIGHT_WEIGHT);
      const item = this.item(depth + 1);
      if (!isLight(item) || index === 0 || !isLight(items[index - 1])) this.count(1 - LIGHT_WEIGHT);
      items.push(item);
      this.note(items, String(index));
    }
    return items;
  }

  private map(count: number | bigint, depth: number): object {
    const map = {};
    for (let index = 0; this.more(index, count); index++) {
      this.count(2);
      const key = this.item(depth + 1);
      this.float = undefined;
      if (typeof key === 'object') throw new DecodeError('cbor: invalid map key type');
      const name = String(key);
      if (Object.hasOwn(map, name))
        throw new DecodeError(
          `cbor: found duplicate map key ${JSON.stringify(name)} at map element index ${index}`,
        );
      setMember(map, name, this.item(depth + 1));
      this.note(map, name);
    }
    return map;
  }

  /** Counts parts as `scanJson` does for the same document in JSON, except one part of each container. */
  private count(parts: number): void {
    this.parts += parts;
    if (this.parts > this.limit) throw new TooManyPartsError();
  }

  private note(container: object, key: string): void {
    if (this.float === undefined) return;
    this.literals.add(container, key, this.float);
    this.float = undefined;
  }

  private more(index: number, count: number | bigint): boolean {
    if (count !== indefinite) return index < count;
    if (this.peek() !== breakByte) return true;
    this.at++;
    return false;
  }

  private string(major: number, length: number | bigint): Buffer {
    if (length !== indefinite) return this.take(length);
    const parts: Buffer[] = [];
    for (let first = this.byte(); first !== breakByte; first = this.byte()) {
      this.count(1);
      if (first >> 5 !== major || (first & 31) === 31)
        throw new DecodeError('cbor: wrong element type for indefinite-length string');
      parts.push(this.take(this.argument(first & 31, major)));
    }
    return Buffer.concat(parts);
  }

  private text(bytes: Buffer, checked: boolean): string {
    if (checked && !isUtf8(bytes)) throw new DecodeError('cbor: invalid UTF-8 string');
    return decodeUtf8(bytes, 0, bytes.length);
  }

  private simple(info: number): unknown {
    if (info === 20 || info === 21) return info === 21;
    if (info === 22 || info === 23) return null;
    if (info < 25 || info > 27)
      throw new DecodeError(
        info === 31 ? 'cbor: unexpected "break" code' : 'cbor: unrecognized simple value',
      );
    const size = 1 << (info - 24);
    const at = this.at;
    this.take(size);
    const value =
      size === 2
        ? halfFloat(this.view.getUint16(at))
        : size === 4
          ? this.view.getFloat32(at)
          : this.view.getFloat64(at);
    if (!Number.isFinite(value))
      throw new DecodeError('cbor: floating-point NaN and infinities are not allowed');
    if (Number.isInteger(value)) this.float = `${value}.0`;
    return value;
  }

  private argument(info: number, major: number): number | bigint {
    if (info < 24) return info;
    const at = this.at;
    if (info === 31 && major >= 2 && major <= 5) return indefinite;
    if (info > 27) throw new DecodeError(`cbor: invalid additional information ${info} for type ${major}`);
    this.take(1 << (info - 24));
    if (info === 24) return this.view.getUint8(at);
    if (info === 25) return this.view.getUint16(at);
    return info === 26 ? this.view.getUint32(at) : this.view.getBigUint64(at);
  }

  private peek(): number {
    const byte = this.bytes[this.at];
    if (byte === undefined) throw new DecodeError('unexpected EOF');
    return byte;
  }

  private byte(): number {
    const byte = this.peek();
    this.at++;
    return byte;
  }

  private take(length: number | bigint): Buffer {
    if (length > this.bytes.length - this.at) throw new DecodeError('unexpected EOF');
    const start = this.at;
    this.at += Number(length);
    return Buffer.from(this.bytes.buffer, this.bytes.byteOffset + start, Number(length));
  }
}

function integer(value: number | bigint): number | bigint {
  if (typeof value === 'number') return value;
  if (value >= 2n ** 63n || value < -(2n ** 63n))
    throw new DecodeError(`cbor: cannot unmarshal ${value} into Go value of type int64 (overflows int64)`);
  return Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

function halfFloat(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (1024 + fraction) * 2 ** (exponent - 25);
}
