import { setMember } from '../model/object.ts';
import { Pace } from '../steps/pace.ts';
import { stepSizes } from '../steps/sizes.ts';
import { sortInSteps } from '../steps/sort.ts';
import type { Steps } from '../steps/steps.ts';
import { DecodeError } from './decode-error.ts';
import { type ParsedDocument, parsingJson } from './json-parse.ts';
import { compareUtf16 } from './json-string.ts';
import { literalsOf } from './number-literals.ts';

/**
 * Parses a YAML document that is also JSON, as most clients send it: that is faster, and needs no YAML parser.
 * Undefined if it is not, or if the two could differ. In steps of some milliseconds.
 * @throws TooManyPartsError for a document with more parts than the limit
 */
export function* parseYamlAsJson(bytes: Uint8Array, limit?: number): Steps<ParsedDocument | undefined> {
  if (bytes[0] !== 0x7b) return undefined;
  try {
    const { value, duplicates, parts = 0 } = yield* parsingJson(bytes, limit);
    if (duplicates.length > 0 || literalsOf(value) !== undefined) return undefined;
    return { value: yield* sortedTree(value as object), duplicates, parts };
  } catch (error) {
    if (error instanceof DecodeError) return undefined;
    throw error;
  }
}

/** Copies an object, and the lists and objects in it, with sorted keys. */
function* sortedTree(root: object): Steps<object> {
  const pace = new Pace();
  const copy = {};
  const pending: [from: object, to: object][] = [[root, copy]];
  for (let pair = pending.pop(); pair !== undefined; pair = pending.pop()) {
    const [from, to] = pair;
    const keys = Object.keys(from);
    for (const key of Array.isArray(from) ? keys : yield* sortingNames(keys)) {
      if (pace.isPause()) yield;
      const member = (from as Record<string, unknown>)[key];
      const isInner = typeof member === 'object' && member !== null;
      const inner = isInner ? (Array.isArray(member) ? [] : {}) : member;
      if (isInner) pending.push([member, inner as object]);
      setMember(to, key, inner);
    }
  }
  return copy;
}

function* sortingNames(names: string[]): Steps<string[]> {
  return names.length < stepSizes.nodes ? names.sort() : yield* sortInSteps(names, compareUtf16);
}
