import { setMember } from '../model/object.ts';
import { canonicalQuantity, QuantityError } from '../model/quantity.ts';
import { normalizeMicroTime, normalizeTime, TimeError } from '../model/time.ts';
import type { Pace } from '../steps/pace.ts';
import type { Steps } from '../steps/steps.ts';
import { DurationError, formatDuration, parseDuration } from '../time/duration.ts';
import { canonicalBase64 } from './base64.ts';
import { DecodeError } from './decode-error.ts';
import type { NumberLiterals } from './number-literals.ts';
import { Mismatch, mismatch, numberMismatch } from './typed-mismatch.ts';

/** State of one typed decoding. */
export interface DecodeContext {
  /** Paths of unknown members, in document order; at most {@link maximumUnknown} are recorded. */
  readonly unknown: string[];
  readonly literals: NumberLiterals | undefined;
  /** See {@link DecodeOptions.restores}. */
  readonly restores?: boolean;
}

/** Maximum reported unknown fields, as in kube-apiserver. */
export const maximumUnknown = 100;

/**
 * Decodes one value, never null. `container` and `key` are its position, for looking up recorded literals.
 */
export type Decode = (value: unknown, context: DecodeContext, container: object, key: string) => unknown;

/** {@link Decode} that pauses every few milliseconds, as the pace of its context says. */
export type SteppingDecode = (
  value: unknown,
  context: SteppingContext,
  container: object,
  key: string,
) => Steps<unknown>;

export interface SteppingContext extends DecodeContext {
  readonly pace: Pace;
}

/** Prepends the segment of the outer member to every path recorded since `from`. */
export function prefixPaths(paths: string[], from: number, segment: string): void {
  for (let index = from; index < paths.length; index++) {
    const path = paths[index]!;
    paths[index] = path.startsWith('[') ? segment + path : `${segment}.${path}`;
  }
}

function literalAt(context: DecodeContext, container: object, key: string): string | undefined {
  return context.literals?.get(container)?.get(key);
}

const lowest = { int32: -(2n ** 31n), int64: -(2n ** 63n) };

/**
 * Decodes an integer that the inline check of generated code did not accept: out of the int32 range, written
 * as a fraction, or not a number.
 * @param wraps whether integers beyond 32 bits lose their upper bits
 */
export function decodeInteger(
  value: unknown,
  context: DecodeContext,
  container: object,
  key: string,
  type: 'int32' | 'int64',
  wraps = type === 'int32' && context.restores === true,
): number | bigint {
  if (typeof value !== 'number' && typeof value !== 'bigint') throw mismatch(value, type);
  const literal = literalAt(context, container, key);
  if (literal !== undefined || (typeof value === 'number' && !Number.isSafeInteger(value)))
    throw numberMismatch(literal ?? value, type);
  if (wraps && isInt64(value)) return Number(BigInt.asIntN(32, BigInt(value)));
  if (value < lowest[type] || value >= -lowest[type]) throw numberMismatch(value, type);
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  return value + 0;
}

const isInt64 = (value: number | bigint): boolean => value >= lowest.int64 && value < -lowest.int64;

export const decodeInt32: Decode = (value, context, container, key) =>
  decodeInteger(value, context, container, key, 'int32');

export const decodeInt64: Decode = (value, context, container, key) =>
  decodeInteger(value, context, container, key, 'int64');

export const decodeDouble: Decode = (value) => {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  throw mismatch(value, 'float64');
};

export const decodeString: Decode = (value) => {
  if (typeof value === 'string') return value;
  throw mismatch(value, 'string');
};

export const decodeBoolean: Decode = (value) => {
  if (typeof value === 'boolean') return value;
  throw mismatch(value, 'bool');
};

export const decodeBytes: Decode = (value, { restores }) => {
  if (typeof value === 'string') return canonicalBase64(value, restores ? 'error decoding from json: ' : '');
  // Go decodes an array of numbers, too.
  if (Array.isArray(value)) return Buffer.from(value.map(byteOf)).toString('base64');
  throw mismatch(value, '[]uint8');
};

function byteOf(value: unknown): number {
  if (value === null) return 0;
  if (typeof value !== 'number') throw mismatch(value, 'uint8');
  if (!Number.isInteger(value) || value < 0 || value > 255) throw numberMismatch(value, 'uint8');
  return value;
}

/** Decodes a string with a function that normalizes it; its errors are client errors. */
function text(normalize: (value: string) => string | null): Decode {
  return (value) => {
    if (typeof value !== 'string') throw mismatch(value, 'string').forgetFields();
    try {
      return normalize(value);
    } catch (error) {
      if (error instanceof TimeError || error instanceof DurationError || error instanceof QuantityError)
        throw new DecodeError(error.message);
      throw error;
    }
  };
}

export const decodeTime = text(normalizeTime);
export const decodeMicroTime = text(normalizeMicroTime);
export const decodeDuration = text((value) => formatDuration(parseDuration(value)));

const quantityText = text((value) => canonicalQuantity(value.trim()));

/** Quantities may be written as numbers; other types are not a valid quantity. */
export const decodeQuantity: Decode = (value, context, container, key) => {
  const written =
    typeof value === 'number' || typeof value === 'bigint'
      ? (literalAt(context, container, key) ?? String(value))
      : value;
  return quantityText(typeof written === 'string' ? written : 'x', context, container, key);
};

export const decodeIntOrString: Decode = (value, context, container, key) => {
  if (typeof value === 'string') return value;
  try {
    return decodeInteger(value, context, container, key, 'int32', false);
  } catch (error) {
    throw error instanceof Mismatch ? error.forgetFields() : error;
  }
};

/** How the values of a list or map are decoded. */
export interface ContainerValues<Item> {
  /** The Go type of the container, for errors. */
  readonly expected: string;
  readonly item: Item;
  /** The value of a null. */
  readonly zero: () => unknown;
}

/** Makes the decoder of a list or map. */
type ContainerDecoder<Item, Result> = (values: ContainerValues<Item>) => Result;

/**
 * Generates what makes the decoders of lists or maps: the plain ones and those in steps have one source.
 * @param pauses the decoder is a generator that pauses between values
 * @param isSteppingItem the values are decoded by generators, too
 */
function containerDecoder<Item, Result>(
  form: 'list' | 'map',
  { pauses = false, isSteppingItem = false } = {},
): ContainerDecoder<Item, Result> {
  const isList = form === 'list';
  const [key, segment] = isList ? ['String(index)', '"[" + index + "]"'] : ['key', 'key'];
  const body = `return ({ expected, item, zero }) => function${pauses ? '*' : ''} (value, context) {
  if (${isList ? '!Array.isArray(value)' : "typeof value !== 'object' || Array.isArray(value)"}) throw mismatch(value, expected);
  const unknown = context.unknown;
  const out = ${isList ? 'new Array(value.length)' : '{}'};
  for (${isList ? 'let index = 0; index < value.length; index++' : 'const key in value'}) {
    ${pauses ? 'if (context.pace.isPause()) yield;' : ''}
    const before = unknown.length;
    const element = value[${isList ? 'index' : 'key'}];
    const decoded = element === null || element === undefined ? zero() : ${isSteppingItem ? 'yield* ' : ''}item(element, context, value, ${key});
    ${isList ? 'out[index] = decoded' : 'setMember(out, key, decoded)'};
    if (unknown.length !== before) prefixPaths(unknown, before, ${segment});
  }
  return out;
};`;
  return new Function('mismatch', 'prefixPaths', 'setMember', body)(
    mismatch,
    prefixPaths,
    setMember,
  ) as ContainerDecoder<Item, Result>;
}

/** Decoders of containers; null values become `zero`. */
export const decodeList = containerDecoder<Decode, Decode>('list');
export const decodeMap = containerDecoder<Decode, Decode>('map');

/** Makes a decoder in steps of a container whose values are decoded at once, or in steps. */
interface SteppingContainer {
  readonly ofPlain: ContainerDecoder<Decode, SteppingDecode>;
  readonly ofStepping: ContainerDecoder<SteppingDecode, SteppingDecode>;
}

const steppingContainers = new Map<'list' | 'map', SteppingContainer>();

/** The decoders in steps of lists or maps, made on first use. */
export function steppingContainer(form: 'list' | 'map'): SteppingContainer {
  let container = steppingContainers.get(form);
  if (container === undefined) {
    container = {
      ofPlain: containerDecoder(form, { pauses: true }),
      ofStepping: containerDecoder(form, { pauses: true, isSteppingItem: true }),
    };
    steppingContainers.set(form, container);
  }
  return container;
}
