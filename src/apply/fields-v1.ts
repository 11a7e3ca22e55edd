import { quoteJson } from '../codec/json-string.ts';
import { Pace } from '../steps/pace.ts';
import { stepSizes } from '../steps/sizes.ts';
import type { Steps } from '../steps/steps.ts';
import type { FieldSet } from './field-set.ts';
import { readFieldsV1 } from './fields-v1-reader.ts';
import type { PathElement } from './path-element.ts';

/** Capacity of the cache in characters of text: objects of one kind usually have the same owners. */
const CACHED_CHARACTERS = 8 << 20;

const cache = new Map<string, FieldSet>();
let cachedCharacters = 0;

/** Parses a FieldsV1 text; undefined when it is invalid. */
export function* parseFieldsV1(text: string): Steps<FieldSet | undefined> {
  const known = cache.get(text);
  if (known !== undefined) return known;
  const set = yield* readFieldsV1(text);
  if (set === undefined) return undefined;
  remember(text, set);
  return set;
}

function remember(text: string, set: FieldSet): void {
  if (cachedCharacters + text.length > CACHED_CHARACTERS) {
    cache.clear();
    cachedCharacters = 0;
  }
  cache.set(text, set);
  cachedCharacters += text.length;
}

/** The FieldsV1 text of a set: children sorted, `.` first when a node with children is a member itself. */
export function* serializeFieldsV1(set: FieldSet, pace = new Pace(stepSizes.values)): Steps<string> {
  if (set.children.size === 0) return '{}';
  if (set.text !== undefined) return set.text;
  const members = set.member ? ['".":{}'] : [];
  for (const element of yield* set.sortedElements()) {
    const child = set.children.get(element)!;
    if (pace.isPause()) yield;
    const known = child.children.size === 0 ? '{}' : child.text;
    members.push(`${quoteElement(element)}:${known ?? (yield* serializeFieldsV1(child, pace))}`);
  }
  set.text = `{${members.join(',')}}`;
  return set.text;
}

/** An element as a JSON string. Only names can have characters that JSON texts escape otherwise. */
const quoteElement = (element: PathElement): string =>
  element[0] === 'f' ? quoteJson(element) : JSON.stringify(element);
