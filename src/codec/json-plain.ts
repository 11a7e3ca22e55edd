import { RawJson } from '../model/object.ts';
import type { Steps } from '../steps/steps.ts';
import { escapeHtml, jsonNumber, quoteJson, sortedKeys } from './json-string.ts';
import { type TreeForm, writeTree, writingTree } from './json-tree.ts';
import type { NumberLiterals } from './number-literals.ts';

const lowest = -(2n ** 63n);
const highest = 2n ** 63n - 1n;

/**
 * Writes untyped data as Go does: keys sorted, HTML characters escaped, int64 exact (larger integers are
 * doubles in Go). Undefined members are omitted.
 */
export const writePlain = (value: unknown): string => writeTree(value, GO_FORM);

/**
 * {@link writePlain}, with a fraction on whole numbers that were written with a fraction or exponent: `1e3` is
 * `1000.0`. Numbers that Go writes with an exponent stay as they are.
 */
export const writePlainWithFloats = (value: unknown, floats: NumberLiterals): string =>
  writeTree(value, GO_FORM, floats);

/** {@link writePlain}, or {@link writePlainWithFloats}, in steps of some milliseconds. */
export const writingPlain = (value: unknown, floats?: NumberLiterals): Steps<string> =>
  writingTree(value, GO_FORM, floats);

const isContainer = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !(value instanceof RawJson);

const GO_FORM: TreeForm = {
  isContainer,
  isSorted: true,
  quote: quoteJson,
  scalar: scalarText,
};

function scalarText(value: unknown): string {
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
      return value === null ? 'null' : escapeHtml((value as RawJson).text);
    default:
      return 'null';
  }
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
  if (!isContainer(value)) return scalarText(value);
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
