import { parseJsonExactly } from './json-exact.ts';

/** The reference tells no more than this many. */
const maximumTold = 100;

/**
 * What strict decoding of a JSON document complains about, in the order of the document as the reference
 * lists it: `duplicate field "a.b"` and `unknown field "c"`. Duplicates inside of unknown members are not
 * told.
 * @param bytes the document, which has been parsed without error
 * @param duplicates paths from the parser, @param unknown paths from typed decoding
 */
export function strictErrors(
  bytes: Uint8Array,
  duplicates: readonly string[],
  unknown: readonly string[],
): string[] {
  if (duplicates.length === 0) return unknown.slice(0, maximumTold).map(unknownField);
  if (unknown.length === 0) return duplicates.slice(0, maximumTold).map(duplicateField);
  const wanted = new Set([...duplicates, ...unknown]);
  const names = new Set([...wanted].map(lastName));
  const unknownPaths = new Set(unknown);
  const errors = new Set<string>();
  let pathsMade = 0;
  parseJsonExactly(bytes, (name, pathOf, duplicate) => {
    if (!names.has(lastName(name)) || errors.size >= maximumTold || pathsMade++ > 10_000) return;
    const path = pathOf();
    if (unknownPaths.has(path)) errors.add(unknownField(path));
    else if (duplicate && wanted.has(path) && !isInside(path, unknown)) errors.add(duplicateField(path));
  });
  return [...errors];
}

const unknownField = (path: string): string => `unknown field "${path}"`;
const duplicateField = (path: string): string => `duplicate field "${path}"`;

/** What stands after the last point: names may have points themselves, so both sides are compared by it. */
const lastName = (path: string): string => path.slice(path.lastIndexOf('.') + 1);

function isInside(path: string, outer: readonly string[]): boolean {
  return outer.some((prefix) => path.startsWith(`${prefix}.`) || path.startsWith(`${prefix}[`));
}
