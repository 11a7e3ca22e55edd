import { writePlain } from '../codec/json-plain.ts';
import { quoteJson } from '../codec/json-string.ts';
import { isJsonObject } from '../model/json-object.ts';
import { getMember } from '../model/object.ts';
import { stepSizes } from '../steps/sizes.ts';
import { sortInSteps } from '../steps/sort.ts';
import type { Steps } from '../steps/steps.ts';

/**
 * One element of a field path, as its FieldsV1 text: `f:name` a member, `k:{"name":"c"}` an item by its keys,
 * `v:"x"` an item by its value, `i:0` an item by its index. Texts are canonical, so that equal elements are
 * equal strings.
 */
export type PathElement = string;

/** Types of elements in their order. */
const ORDER = 'fkvi';

export const fieldElement = (name: string): PathElement => `f:${name}`;
export const valueElement = (value: unknown): PathElement => `v:${writePlain(value)}`;

/** @param keys names in sorted order; a key without value is omitted */
export function keyElement(
  item: object,
  keys: readonly string[],
  defaults: ReadonlyMap<string, unknown>,
): PathElement {
  let text = '';
  for (const key of keys) {
    const own = getMember(item, key);
    const value = own === undefined ? defaults.get(key) : own;
    if (value !== undefined)
      text += `${text === '' ? '' : ','}${quoteJson(key)}:${typeof value === 'string' ? quoteJson(value) : writePlain(value)}`;
  }
  return `k:{${text}}`;
}

/** Whether a FieldsV1 key has a type that only a later version knows. */
export const isUnknownElement = (text: string): boolean => text[1] === ':' && !ORDER.includes(text[0]!);

/** Parses a FieldsV1 key to canonical form; undefined when it is invalid. */
export function parseElement(text: string): PathElement | undefined {
  if (text[1] !== ':') return undefined;
  try {
    switch (text[0]) {
      case 'f':
        return text;
      case 'k': {
        const keys = JSON.parse(text.slice(2)) as unknown;
        if (keys === null) return 'k:{}';
        return isJsonObject(keys) ? `k:${writePlain(keys)}` : undefined;
      }
      case 'v':
        return `v:${writePlain(JSON.parse(text.slice(2)))}`;
      case 'i':
        return /^i:[+-]?\d{1,15}$/.test(text) ? `i:${Number(text.slice(2))}` : undefined;
      default:
        return undefined;
    }
  } catch {
    return undefined;
  }
}

/** Maximum cached parsed elements: objects of one kind usually have the same items. */
const CACHED_ELEMENTS = 10_000;
const contents = new Map<PathElement, unknown>();

/** Contents of an element other than a field: a value, or alternating keys and values. */
function contentOf(element: PathElement): unknown {
  let content = contents.get(element);
  if (content === undefined) {
    const parsed = JSON.parse(element.slice(2)) as unknown;
    content = element[0] === 'k' ? Object.entries(parsed as object).flat() : parsed;
    if (contents.size >= CACHED_ELEMENTS) contents.clear();
    contents.set(element, content);
  }
  return content;
}

/**
 * The order of elements in a set: fields, keyed items, values, indexes; each by its contents, not by its
 * text.
 */
export function compareElements(a: PathElement, b: PathElement): number {
  return compareRead(a, a[0] === 'f' ? undefined : contentOf(a), b, b[0] === 'f' ? undefined : contentOf(b));
}

/** Sorts elements. Each one is parsed only once. */
export function sortElements(elements: Iterable<PathElement>): PathElement[] {
  const sorted = [...elements];
  if (sorted.every((element) => element[0] === 'f')) return sorted.sort();
  return sorted
    .map((element) => ({ element, content: element[0] === 'f' ? undefined : contentOf(element) }))
    .sort((a, b) => compareRead(a.element, a.content, b.element, b.content))
    .map(({ element }) => element);
}

/** {@link sortElements} in steps. */
export function* sortingElements(elements: readonly PathElement[]): Steps<PathElement[]> {
  const { values } = stepSizes;
  const read: { readonly element: PathElement; readonly content: unknown }[] = [];
  for (const element of elements) {
    read.push({ element, content: element[0] === 'f' ? undefined : contentOf(element) });
    if (read.length % values === 0) yield;
  }
  const sorted = yield* sortInSteps(read, (a, b) => compareRead(a.element, a.content, b.element, b.content));
  return sorted.map(({ element }) => element);
}

/** @param left contents of `a`; ignored for fields */
function compareRead(a: PathElement, left: unknown, b: PathElement, right: unknown): number {
  if (a === b) return 0;
  if (a[0] !== b[0]) return ORDER.indexOf(a[0]!) - ORDER.indexOf(b[0]!);
  if (a[0] === 'f') return a < b ? -1 : 1;
  if (a[0] !== 'k') return compareValues(left, right);
  const ours = left as unknown[];
  const theirs = right as unknown[];
  for (let index = 0; index < Math.min(ours.length, theirs.length); index += 1) {
    const order = compareValues(ours[index], theirs[index]);
    if (order !== 0) return order;
  }
  return ours.length - theirs.length;
}

const KINDS = ['number', 'string', 'boolean', 'object'];

function compareValues(a: unknown, b: unknown): number {
  if (typeof a !== typeof b) return KINDS.indexOf(typeof a) - KINDS.indexOf(typeof b);
  if (typeof a === 'object') return JSON.stringify(a) < JSON.stringify(b) ? -1 : 1;
  return (a as string) < (b as string) ? -1 : a === b ? 0 : 1;
}

/** Formats an element: `.name`, `[name="c"]`, `[="x"]`, `[0]`. */
export function formatElement(element: PathElement): string {
  const rest = element.slice(2);
  switch (element[0]) {
    case 'f':
      return `.${rest}`;
    case 'k':
      return `[${Object.entries(JSON.parse(rest) as object)
        .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
        .join(',')}]`;
    case 'v':
      return `[=${JSON.stringify(JSON.parse(rest))}]`;
    default:
      return `[${rest}]`;
  }
}

export const formatPath = (path: readonly PathElement[]): string => path.map(formatElement).join('');
