import { DecodeError } from '../codec/decode-error.ts';
import { parseJsonInSteps } from '../codec/json-parse.ts';
import { quoteJson } from '../codec/json-string.ts';
import { isJsonObject } from '../model/json-object.ts';
import { runNow } from '../steps/run.ts';
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
export function parseFieldsV1(text: string): FieldSet | undefined {
  return runNow(parseFieldsV1InSteps(text));
}

/** {@link parseFieldsV1} in steps. */
export function* parseFieldsV1InSteps(text: string): Steps<FieldSet | undefined> {
  const known = cache.get(text);
  if (known !== undefined) return known;
  let parsed: unknown;
  try {
    parsed =
      text.length < CHARACTERS_AT_ONCE
        ? JSON.parse(text)
        : (yield* parseJsonInSteps(Buffer.from(text))).value;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof DecodeError) return undefined;
    throw error;
  }
  const set = yield* readNode(parsed, 0, { nodes: 0 });
  if (set === undefined) return undefined;
  remember(text, set);
  return set;
}

/** Characters of a text that is parsed at once. */
const CHARACTERS_AT_ONCE = 64 * 1024;

function remember(text: string, set: FieldSet): void {
  if (cachedCharacters + text.length > CACHED_CHARACTERS) {
    cache.clear();
    cachedCharacters = 0;
  }
  cache.set(text, set);
  cachedCharacters += text.length;
}

/** Parses a node: one without children, or null, is a leaf. Elements of unknown types are left out. */
function* readNode(value: unknown, depth: number, done: { nodes: number }): Steps<FieldSet | undefined> {
  if (typeof value !== 'object' || Array.isArray(value) || depth > MAXIMUM_DEPTH) return undefined;
  let children: Map<PathElement, FieldSet> | undefined;
  let member = false;
  for (const key of value === null ? [] : Object.keys(value)) {
    if (key === '.') {
      member = true;
      continue;
    }
    done.nodes += 1;
    if (done.nodes % NODES_AT_ONCE === 0) yield;
    if (isUnknownElement(key)) continue;
    const element = parseElement(key);
    if (element === undefined) return undefined;
    const below = (value as Record<string, unknown>)[key];
    const child = isEmptyNode(below) ? FieldSet.leaf : yield* readNode(below, depth + 1, done);
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
export function serializeFieldsV1(set: FieldSet): string {
  return runNow(serializeFieldsV1InSteps(set));
}

/** Nodes read or written between yields: some milliseconds of work. */
const NODES_AT_ONCE = 8192;

/** {@link serializeFieldsV1} in steps. */
export function* serializeFieldsV1InSteps(set: FieldSet, done = { nodes: 0 }): Steps<string> {
  if (set.children.size === 0) return '{}';
  if (set.text !== undefined) return set.text;
  const members = set.member ? ['".":{}'] : [];
  for (const element of yield* set.sortedElementsInSteps()) {
    const child = set.children.get(element)!;
    done.nodes += 1;
    if (done.nodes % NODES_AT_ONCE === 0) yield;
    const below = child.children.size === 0 ? '{}' : yield* serializeFieldsV1InSteps(child, done);
    members.push(`${quoteJson(element)}:${below}`);
  }
  set.text = `{${members.join(',')}}`;
  return set.text;
}
