import { DecodeError } from '../codec/decode-error.ts';
import { parsingJson } from '../codec/json-parse.ts';
import { quoteJson } from '../codec/json-string.ts';
import { isJsonObject } from '../model/json-object.ts';
import { Pace } from '../steps/pace.ts';
import { stepSizes } from '../steps/sizes.ts';
import type { Steps } from '../steps/steps.ts';
import { FieldSet } from './field-set.ts';
import { isUnknownElement, type PathElement, parseElement } from './path-element.ts';

/** Capacity of the cache in characters of text: objects of one kind usually have the same owners. */
const CACHED_CHARACTERS = 8 << 20;
/** Maximum depth of a set, that of the objects. */
const MAXIMUM_DEPTH = 1000;

const cache = new Map<string, FieldSet>();
let cachedCharacters = 0;

/** Parses a FieldsV1 text; undefined when it is invalid. */
export function* parseFieldsV1(text: string): Steps<FieldSet | undefined> {
  const known = cache.get(text);
  if (known !== undefined) return known;
  let parsed: unknown;
  try {
    parsed =
      text.length < stepSizes.characters ? JSON.parse(text) : (yield* parsingJson(Buffer.from(text))).value;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof DecodeError) return undefined;
    throw error;
  }
  const set = yield* readNode(parsed, 0, new Pace(stepSizes.values));
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

/** Parses a node: one without children, or null, is a leaf. Elements of unknown types are left out. */
function* readNode(value: unknown, depth: number, pace: Pace): Steps<FieldSet | undefined> {
  if (typeof value !== 'object' || Array.isArray(value) || depth > MAXIMUM_DEPTH) return undefined;
  let children: Map<PathElement, FieldSet> | undefined;
  let member = false;
  for (const key of value === null ? [] : Object.keys(value)) {
    if (key === '.') {
      member = true;
      continue;
    }
    if (pace.isPause()) yield;
    if (isUnknownElement(key)) continue;
    const element = parseElement(key);
    if (element === undefined) return undefined;
    const below = (value as Record<string, unknown>)[key];
    const child = isEmptyNode(below) ? FieldSet.leaf : yield* readNode(below, depth + 1, pace);
    if (child === undefined) return undefined;
    children ??= new Map();
    children.set(element, child);
  }
  if (children !== undefined) return new FieldSet(member, children);
  return depth > 0 ? FieldSet.leaf : FieldSet.empty;
}

function isEmptyNode(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  for (const _ in value) return false;
  return true;
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
