import { setMember } from '../model/object.ts';
import { sortInSteps } from '../steps/sort.ts';
import type { Steps } from '../steps/steps.ts';
import { DecodeError } from './decode-error.ts';
import { type ParsedDocument, parseJson, parseJsonInSteps } from './json-parse.ts';
import { compareUtf16 } from './json-string.ts';
import { literalsOf } from './number-literals.ts';

/**
 * Parses a YAML document that is also JSON, as most clients send it: that is faster, and needs no YAML parser.
 * Undefined if it is not, or if the two could differ.
 */
export function parseYamlAsJson(bytes: Uint8Array): ParsedDocument | undefined {
  if (bytes[0] !== 0x7b) return undefined;
  try {
    const { value, duplicates } = parseJson(bytes);
    return duplicates.length === 0 && literalsOf(value) === undefined
      ? { value: sortKeys(value), duplicates }
      : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Like {@link parseYamlAsJson}, in steps of some milliseconds.
 * @throws TooManyPartsError for a document with more parts than the limit
 */
export function* parseYamlAsJsonInSteps(
  bytes: Uint8Array,
  limit?: number,
): Steps<ParsedDocument | undefined> {
  if (bytes[0] !== 0x7b) return undefined;
  try {
    const { value, duplicates, parts = 0 } = yield* parseJsonInSteps(bytes, limit);
    if (duplicates.length > 0 || literalsOf(value) !== undefined) return undefined;
    return {
      value: parts < nodesAtOnce ? sortKeys(value) : yield* sortingKeys(value, { nodes: 0 }),
      duplicates,
      parts,
    };
  } catch (error) {
    if (error instanceof DecodeError || error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Values whose keys are sorted per step. */
const nodesAtOnce = 4096;

function* sortingKeys(value: unknown, done: { nodes: number }): Steps<unknown> {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items: unknown[] = [];
    for (const item of value) {
      if (++done.nodes % nodesAtOnce === 0) yield;
      items.push(typeof item === 'object' ? yield* sortingKeys(item, done) : item);
    }
    return items;
  }
  const sorted = {};
  for (const key of yield* sortInSteps(Object.keys(value), compareUtf16)) {
    if (++done.nodes % nodesAtOnce === 0) yield;
    const member = (value as Record<string, unknown>)[key];
    setMember(sorted, key, typeof member === 'object' ? yield* sortingKeys(member, done) : member);
  }
  return sorted;
}

function sortKeys(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(sortKeys);
  const sorted = {};
  for (const key of Object.keys(value).sort())
    setMember(sorted, key, sortKeys((value as Record<string, unknown>)[key]));
  return sorted;
}
