import { RawJson } from '../model/object.ts';
import { stepSizes } from '../steps/sizes.ts';
import type { PartSteps } from '../steps/steps.ts';
import { parseJson } from './json-parse.ts';
import { LazyList } from './lazy-list.ts';
import { literalsOf, type NumberLiterals } from './number-literals.ts';

const selfDescribed = Uint8Array.of(0xd9, 0xd9, 0xf7);

/**
 * Encodes plain data as CBOR like kube-apiserver: under the self-described tag, strings as byte strings,
 * `Uint8Array` under the tag for base64 in JSON, 64-bit integers and floats in their shortest form. Numbers
 * recorded as written with a fraction remain floats.
 */
export function writeCbor(plain: unknown): Uint8Array {
  const writer = new CborWriter();
  writer.bytes(selfDescribed);
  writer.begin(plain);
  writer.advance(Number.POSITIVE_INFINITY);
  return writer.take();
}

/**
 * The bytes of {@link writeCbor} in parts, with pauses. The items of a {@link LazyList} in the outermost object
 * are read lazily.
 */
export function* cborParts(plain: unknown): PartSteps<Uint8Array> {
  const writer = new CborWriter();
  writer.bytes(selfDescribed);
  if (
    typeof plain === 'object' &&
    plain !== null &&
    Object.values(plain).some((member) => member instanceof LazyList)
  )
    yield* lazyDocument(writer, plain);
  else yield* wholeValue(writer, plain);
}

/** Writes an object whose lists may be lazy. */
function* lazyDocument(writer: CborWriter, object: object): PartSteps<Uint8Array> {
  const { records } = stepSizes;
  const members = Object.entries(object).filter(([, member]) => member !== undefined);
  writer.head(MAP, members.length);
  for (const [key, member] of members) {
    writer.text(key);
    if (!(member instanceof LazyList)) {
      yield* wholeValue(writer, member);
      continue;
    }
    writer.head(LIST, member.length);
    let items = 0;
    for (const item of member.items) {
      if (item !== undefined) yield* wholeValue(writer, item);
      if (item === undefined || ++items % records === 0) yield;
    }
  }
  yield writer.take();
}

function* wholeValue(writer: CborWriter, value: unknown): PartSteps<Uint8Array> {
  const { values } = stepSizes;
  writer.begin(value);
  while (!writer.advance(values)) {
    yield writer.take();
    yield;
  }
  yield writer.take();
}

const LIST = 4;
const MAP = 5;

/** A container that has been opened. */
interface Frame {
  readonly members: Readonly<Record<string | number, unknown>>;
  /** Names of the members; undefined for a list. */
  readonly keys: readonly string[] | undefined;
  readonly length: number;
  next: number;
  readonly floats: { has(key: string): boolean } | undefined;
}

/** Writes values with a stack of its own, so that it can stop after any member. */
class CborWriter {
  private buffer = Buffer.allocUnsafe(4096);
  private at = 0;
  private readonly frames: Frame[] = [];
  private literals: NumberLiterals | undefined;

  /** Returns the bytes written since the last call, owned by the caller. */
  take(): Uint8Array {
    const taken = this.buffer.subarray(0, this.at);
    this.buffer = Buffer.allocUnsafe(Math.max(this.at, 4096));
    this.at = 0;
    return taken;
  }

  /** Begins a document, which {@link advance} writes. */
  begin(document: unknown): void {
    this.literals = literalsOf(document);
    this.value(document);
  }

  private value(value: unknown): void {
    if (value instanceof RawJson) this.value(parseJson(Buffer.from(value.text)).value);
    else if (isPlainContainer(value)) this.open(value);
    else this.scalar(value);
  }

  private open(container: object): void {
    const isList = Array.isArray(container);
    const members = container as Frame['members'];
    const keys = isList ? undefined : presentKeys(members);
    const length = isList ? container.length : keys!.length;
    this.head(isList ? LIST : MAP, length);
    this.frames.push({ members, keys, length, next: 0, floats: this.literals?.get(container) });
  }

  /** Writes some members and items. @returns whether everything is written that has begun */
  advance(budget: number): boolean {
    const { frames } = this;
    let left = budget;
    for (let frame = frames[frames.length - 1]; frame !== undefined; frame = frames[frames.length - 1]) {
      left = this.inside(frame, left);
      if (left <= 0) return frames.length === 0;
    }
    return true;
  }

  /** Writes members of a container up to one that is opened, or to its end. @returns the rest of the budget */
  private inside(frame: Frame, budget: number): number {
    const { members, keys, length, floats } = frame;
    let { next } = frame;
    const left = budget + next;
    const end = Math.min(length, left);
    while (next < end) {
      const key = keys === undefined ? next : keys[next]!;
      next += 1;
      if (keys !== undefined) this.text(key as string);
      const member = members[key];
      if (typeof member === 'string') this.text(member);
      else if (typeof member === 'object' && member !== null) {
        frame.next = next;
        this.value(member);
        return left - next;
      } else if (typeof member === 'number' && floats?.has(String(key)) === true) this.float(member);
      else this.scalar(member);
    }
    frame.next = next;
    if (next === length) this.frames.pop();
    return left - next;
  }

  private scalar(value: unknown): void {
    if (typeof value === 'string') this.text(value);
    else if (typeof value === 'number') this.number(value);
    else if (typeof value === 'bigint') this.bigint(value);
    else if (typeof value === 'boolean') this.byte(value ? 0xf5 : 0xf4);
    else if (value instanceof Uint8Array) this.binary(value);
    else this.byte(0xf6);
  }

  private binary(bytes: Uint8Array): void {
    this.byte(0xd6);
    this.head(2, bytes.length);
    this.bytes(bytes);
  }

  bytes(bytes: Uint8Array): void {
    this.room(bytes.length);
    this.buffer.set(bytes, this.at);
    this.at += bytes.length;
  }

  text(text: string): void {
    const length = Buffer.byteLength(text);
    this.head(2, length);
    this.room(length);
    this.at += this.buffer.write(text, this.at, 'utf8');
  }

  private number(value: number): void {
    if (Number.isSafeInteger(value)) this.integer(value);
    else this.float(value);
  }

  /** Integers beyond int64 are floats, as decoded from JSON by kube-apiserver. */
  private bigint(value: bigint): void {
    if (BigInt.asIntN(64, value) === value) this.integer(value);
    else this.float(Number(value));
  }

  private integer(value: number | bigint): void {
    if (value >= 0) this.head(0, value);
    else this.head(1, typeof value === 'bigint' ? -1n - value : -1 - value);
  }

  private float(value: number): void {
    const half = halfBits(value);
    this.room(9);
    if (half !== undefined) {
      this.buffer[this.at] = 0xf9;
      this.at = this.buffer.writeUInt16BE(half, this.at + 1);
    } else if (Math.fround(value) === value) {
      this.buffer[this.at] = 0xfa;
      this.at = this.buffer.writeFloatBE(value, this.at + 1);
    } else {
      this.buffer[this.at] = 0xfb;
      this.at = this.buffer.writeDoubleBE(value, this.at + 1);
    }
  }

  head(major: number, argument: number | bigint): void {
    this.room(9);
    const type = major << 5;
    if (argument < 24) this.buffer[this.at++] = type | Number(argument);
    else if (argument < 0x100) this.at = this.buffer.writeUInt8(Number(argument), this.mark(type | 24));
    else if (argument < 0x10000) this.at = this.buffer.writeUInt16BE(Number(argument), this.mark(type | 25));
    else if (argument < 0x100000000)
      this.at = this.buffer.writeUInt32BE(Number(argument), this.mark(type | 26));
    else this.at = this.buffer.writeBigUInt64BE(BigInt(argument), this.mark(type | 27));
  }

  private mark(first: number): number {
    this.buffer[this.at++] = first;
    return this.at;
  }

  private byte(byte: number): void {
    this.room(1);
    this.buffer[this.at++] = byte;
  }

  private room(length: number): void {
    if (this.at + length <= this.buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.buffer.length * 2, this.at + length));
    this.buffer.copy(larger, 0, 0, this.at);
    this.buffer = larger;
  }
}

const presentKeys = (object: Frame['members']): string[] =>
  Object.keys(object).filter((key) => object[key] !== undefined);

const isPlainContainer = (value: unknown): value is Record<string, unknown> | unknown[] =>
  typeof value === 'object' &&
  value !== null &&
  !(value instanceof RawJson) &&
  !(value instanceof Uint8Array);

/** The bits of a half-precision float that equals the value, or undefined if there is none. */
function halfBits(value: number): number | undefined {
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  const magnitude = Math.abs(value);
  if (magnitude === 0) return sign;
  if (magnitude < 2 ** -14)
    return Number.isInteger(magnitude * 2 ** 24) ? sign | (magnitude * 2 ** 24) : undefined;
  const exponent = Math.floor(Math.log2(magnitude));
  const fraction = (magnitude / 2 ** exponent - 1) * 1024;
  return exponent <= 15 && Number.isInteger(fraction) && fraction >= 0 && fraction < 1024
    ? sign | ((exponent + 15) << 10) | fraction
    : undefined;
}
