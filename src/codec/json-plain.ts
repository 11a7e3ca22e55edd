import { RawJson } from '../model/object.ts';
import type { Steps } from '../steps/steps.ts';
import { escapeHtml, jsonNumber, quoteJson, sortedKeys, sortedKeysInSteps } from './json-string.ts';
import type { NumberLiterals } from './number-literals.ts';

const lowest = -(2n ** 63n);
const highest = 2n ** 63n - 1n;

/**
 * Writes untyped data as Go does: keys sorted, HTML characters escaped, int64 exact (larger integers are
 * doubles in Go). Undefined members are omitted.
 */
export function writePlain(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return quoteJson(value);
    case 'number':
      return jsonNumber(value);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'bigint':
      return value >= lowest && value <= highest ? value.toString() : jsonNumber(Number(value));
    case 'object':
      return value === null ? 'null' : writeContainer(value);
    default:
      return 'null';
  }
}

function writeContainer(value: object): string {
  if (Array.isArray(value)) {
    let text = '[';
    for (let index = 0; index < value.length; index++)
      text += index === 0 ? writePlain(value[index]) : `,${writePlain(value[index])}`;
    return `${text}]`;
  }
  if (value instanceof RawJson) return escapeHtml(value.text);
  let text = '';
  for (const key of sortedKeys(value)) {
    const member = (value as Record<string, unknown>)[key];
    if (member !== undefined) text += `${text === '' ? '{' : ','}${quoteJson(key)}:${writePlain(member)}`;
  }
  return text === '' ? '{}' : `${text}}`;
}

/**
 * The beginning of the text of {@link writePlain}, a little longer than the given number of characters if the
 * text is longer. It reads no deeper than that number.
 */
export function writePlainBeginning(
  value: unknown,
  characters: number,
  { isSorted = () => true, literals }: BeginningOptions = {},
): string {
  if (!isContainer(value)) return writePlain(value);
  const own = literals?.get(value);
  const isList = Array.isArray(value);
  let text = isList ? '[' : '{';
  for (const key of isList ? value.keys() : isSorted(value) ? sortedKeys(value) : Object.keys(value)) {
    const member = (value as Record<string | number, unknown>)[key];
    if (member === undefined && !isList) continue;
    if (text.length > 1) text += ',';
    if (!isList) text += `${quoteJson(key as string)}:`;
    if (text.length > characters) return text;
    const literal = typeof member === 'number' ? own?.get(String(key)) : undefined;
    text += literal ?? writePlainBeginning(member, characters - text.length, { isSorted, literals });
  }
  return `${text}${isList ? ']' : '}'}`;
}

/** How {@link writePlainBeginning} writes. */
export interface BeginningOptions {
  /** Whether the members of an object are sorted; by default, those of all objects are. */
  readonly isSorted?: (container: object) => boolean;
  /** Numbers that are written as the client wrote them. */
  readonly literals?: NumberLiterals | undefined;
}

/**
 * {@link writePlain}, with a fraction on whole numbers that were written with a fraction or exponent: `1e3` is
 * `1000.0`. Numbers that Go writes with an exponent stay as they are.
 */
export function writePlainWithFloats(value: unknown, floats: NumberLiterals): string {
  if (!isContainer(value)) return writePlain(value);
  const own = floats.get(value);
  const write = (key: string, member: unknown): string => {
    if (own?.has(key) !== true || typeof member !== 'number') return writePlainWithFloats(member, floats);
    const text = jsonNumber(member);
    return /^-?\d+$/.test(text) ? `${text}.0` : text;
  };
  if (Array.isArray(value)) return `[${value.map((item, index) => write(String(index), item)).join(',')}]`;
  const members = sortedKeys(value).flatMap((key) => {
    const member = (value as Record<string, unknown>)[key];
    return member === undefined ? [] : [`${quoteJson(key)}:${write(key, member)}`];
  });
  return `{${members.join(',')}}`;
}

/** Members and items written between two yields. */
const MEMBERS_PER_STEP = 8192;

/** Containers below this depth are written at once: a generator per level uses the stack. */
const DEEPEST_STEPS = 1500;

/**
 * {@link writePlain} in steps of some milliseconds.
 * @param perStep members and items per step; lower in tests
 */
export function* writePlainInSteps(value: unknown, perStep = MEMBERS_PER_STEP): Steps<string> {
  if (!isContainer(value) || hasAtMost(value, perStep)) return writePlain(value);
  let left = perStep;
  function* write(container: object, depth: number): Steps<string> {
    const isList = Array.isArray(container);
    const texts: string[] = [];
    for (const key of isList ? container.keys() : yield* sortedKeysInSteps(container)) {
      const member = (container as Record<string | number, unknown>)[key];
      if (member === undefined && !isList) continue;
      const text =
        isContainer(member) && depth < DEEPEST_STEPS ? yield* write(member, depth + 1) : writePlain(member);
      texts.push(isList ? text : `${quoteJson(key as string)}:${text}`);
      left -= 1;
      if (left > 0) continue;
      left = perStep;
      yield;
    }
    return isList ? `[${texts.join(',')}]` : `{${texts.join(',')}}`;
  }
  return yield* write(value, 0);
}

/** Whether a tree has at most this number of members and items; visits no more of them. */
function hasAtMost(root: object, limit: number): boolean {
  const rest: object[] = [root];
  let left = limit;
  for (let container = rest.pop(); container !== undefined; container = rest.pop())
    for (const member of Array.isArray(container) ? container : Object.values(container)) {
      left -= 1;
      if (left < 0) return false;
      if (isContainer(member)) rest.push(member);
    }
  return true;
}

const isContainer = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !(value instanceof RawJson);
