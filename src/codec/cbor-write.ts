import { RawJson } from '../model/object.ts';
import { stepSizes } from '../steps/sizes.ts';
import type { PartSteps, Steps } from '../steps/steps.ts';
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
  const writer = new CborWriter(literalsOf(plain));
  writer.bytes(selfDescribed);
  writer.value(plain);
  return writer.take();
}

/** Members and items written between two yields. */
const MEMBERS_PER_STEP = 8192;
/** Containers below this depth are written at once. */
const DEEPEST_STEPS = 64;

/**
 * {@link writeCbor} in steps of some milliseconds.
 * @param perStep members and items per step; lower in tests
 */
export function* writeCborInSteps(plain: unknown, perStep = MEMBERS_PER_STEP): Steps<Uint8Array> {
  const writer = new CborWriter(literalsOf(plain));
  writer.bytes(selfDescribed);
  yield* writer.steps(plain, { left: perStep, perStep }, 0);
  return writer.take();
}

/**
 * The bytes of {@link writeCbor} in parts. The items of a {@link LazyList} in the outermost object are read
 * lazily.
 */
export function* cborParts(plain: unknown): PartSteps<Uint8Array> {
  const writer = new CborWriter(literalsOf(plain));
  writer.bytes(selfDescribed);
  if (
    typeof plain === 'object' &&
    plain !== null &&
    Object.values(plain).some((member) => member instanceof LazyList)
  )
    yield* writer.document(plain);
  else writer.value(plain);
  yield writer.take();
}

class CborWriter {
  private buffer = Buffer.allocUnsafe(4096);
  private at = 0;

  constructor(private literals: NumberLiterals | undefined) {}

  /** Returns the bytes written since the last call, owned by the caller. */
  take(): Uint8Array {
    const taken = this.buffer.subarray(0, this.at);
    this.buffer = Buffer.allocUnsafe(Math.max(this.at, 4096));
    this.at = 0;
    return taken;
  }

  /** Writes an object whose lists may be lazy. */
  *document(object: object): PartSteps<Uint8Array> {
    const members = Object.entries(object).filter(([, member]) => member !== undefined);
    this.head(5, members.length);
    for (const [key, member] of members) {
      this.text(key);
      if (!(member instanceof LazyList)) {
        this.value(member);
        continue;
      }
      this.head(4, member.length);
      let items = 0;
      for (const item of member.items) {
        if (item !== undefined) {
          this.literals = literalsOf(item);
          yield* this.parts(item);
          yield this.take();
          items += 1;
        }
        if (item === undefined || items % stepSizes.records === 0) yield;
      }
    }
  }

  /** Writes a value; yields the written bytes after every few members. */
  private *parts(value: unknown): PartSteps<Uint8Array> {
    const steps = this.steps(value, { left: MEMBERS_PER_STEP, perStep: MEMBERS_PER_STEP }, 0);
    while (steps.next().done !== true) {
      yield this.take();
      yield;
    }
  }

  /** Writes a value and yields after every few members. */
  *steps(value: unknown, budget: { left: number; readonly perStep: number }, depth: number): Steps<void> {
    if (!isPlainContainer(value) || depth > DEEPEST_STEPS) {
      this.value(value);
      return;
    }
    const isList = Array.isArray(value);
    const keys: readonly (string | number)[] = Array.isArray(value)
      ? [...value.keys()]
      : Object.keys(value).filter((key) => value[key] !== undefined);
    this.head(isList ? 4 : 5, keys.length);
    for (const key of keys) {
      const member = (value as Record<string | number, unknown>)[key];
      if (!isList) this.text(key as string);
      if (isPlainContainer(member)) yield* this.steps(member, budget, depth + 1);
      else this.member(value, String(key), member);
      budget.left -= 1;
      if (budget.left > 0) continue;
      budget.left = budget.perStep;
      yield;
    }
  }

  value(value: unknown): void {
    if (typeof value === 'string') this.text(value);
    else if (typeof value === 'number') this.number(value);
    else if (typeof value === 'bigint') this.bigint(value);
    else if (typeof value === 'boolean') this.byte(value ? 0xf5 : 0xf4);
    else if (value === null || typeof value !== 'object') this.byte(0xf6);
    else this.container(value);
  }

  bytes(bytes: Uint8Array): void {
    this.room(bytes.length);
    this.buffer.set(bytes, this.at);
    this.at += bytes.length;
  }

  private container(value: object): void {
    if (Array.isArray(value)) {
      this.head(4, value.length);
      value.forEach((item, index) => {
        this.member(value, String(index), item);
      });
    } else if (value instanceof RawJson) {
      this.value(parseJson(Buffer.from(value.text)).value);
    } else if (value instanceof Uint8Array) {
      this.byte(0xd6);
      this.head(2, value.length);
      this.bytes(value);
    } else {
      const members = Object.entries(value).filter(([, member]) => member !== undefined);
      this.head(5, members.length);
      for (const [key, member] of members) {
        this.text(key);
        this.member(value, key, member);
      }
    }
  }

  private member(container: object, key: string, member: unknown): void {
    if (typeof member === 'number' && this.literals?.get(container)?.has(key)) this.float(member);
    else this.value(member);
  }

  private text(text: string): void {
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

  private head(major: number, argument: number | bigint): void {
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
