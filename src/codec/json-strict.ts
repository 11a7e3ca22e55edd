import { parseJsonExactly } from './json-exact.ts';

/** Maximum reported errors, as in kube-apiserver. */
const maximumReported = 100;

/**
 * Errors of strict decoding of a JSON document, in document order as in kube-apiserver: `duplicate field
 * "a.b"` and `unknown field "c"`. Duplicates inside unknown members are not reported.
 * @param bytes the document, which was parsed without error
 * @param duplicates paths from the parser, @param unknown paths from typed decoding
 */
export function strictErrors(
  bytes: Uint8Array,
  duplicates: readonly string[],
  unknown: readonly string[],
): string[] {
  if (duplicates.length === 0) return unknown.slice(0, maximumReported).map(unknownField);
  if (unknown.length === 0) return duplicates.slice(0, maximumReported).map(duplicateField);
  const reported = new Set([...duplicates, ...unknown]);
  const names = new Set([...reported].map(lastName));
  const unknownPaths = new Set(unknown);
  const errors = new Set<string>();
  let pathsMade = 0;
  parseJsonExactly(bytes, (name, pathOf, duplicate) => {
    if (!names.has(lastName(name)) || errors.size >= maximumReported || pathsMade++ > 10_000) return;
    const path = pathOf();
    if (unknownPaths.has(path)) errors.add(unknownField(path));
    else if (duplicate && reported.has(path) && !isInside(path, unknown)) errors.add(duplicateField(path));
  });
  return [...errors];
}

const unknownField = (path: string): string => `unknown field "${path}"`;
const duplicateField = (path: string): string => `duplicate field "${path}"`;

/** The part after the last dot: names may contain dots, so both sides are compared by it. */
const lastName = (path: string): string => path.slice(path.lastIndexOf('.') + 1);

function isInside(path: string, outer: readonly string[]): boolean {
  return outer.some((prefix) => path.startsWith(`${prefix}.`) || path.startsWith(`${prefix}[`));
}
