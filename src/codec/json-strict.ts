import { quote } from '../schema/structural/go-text.ts';
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

const unknownField = (path: string): string => `unknown field ${quote(path)}`;
const duplicateField = (path: string): string => `duplicate field ${quote(path)}`;

/**
 * Errors of unknown fields in the result of a patch, in the order of a document with sorted members.
 * @param quotes whether paths are quoted; the result of a strategic merge patch is not decoded from text
 */
export const unknownFields = (paths: readonly string[], quotes: boolean): string[] =>
  [...paths].sort(byMember).map((path) => (quotes ? unknownField(path) : `unknown field "${path}"`));

/** Orders paths as their members are in a document with sorted members. */
function byMember(one: string, other: string): number {
  const [left, right] = [one.split('.'), other.split('.')];
  for (const [place, member] of left.entries()) {
    const next = right[place];
    if (next === undefined) return 1;
    if (member !== next) return compareMembers(member, next);
  }
  return left.length - right.length;
}

/** Compares `name` or `name[index]`. */
function compareMembers(one: string, other: string): number {
  const [name, index] = one.split('[', 2) as [string, string?];
  const [otherName, otherIndex] = other.split('[', 2) as [string, string?];
  if (name !== otherName) return name < otherName ? -1 : 1;
  return Number.parseInt(index ?? '-1', 10) - Number.parseInt(otherIndex ?? '-1', 10);
}

/** The part after the last dot: names may contain dots, so both sides are compared by it. */
const lastName = (path: string): string => path.slice(path.lastIndexOf('.') + 1);

function isInside(path: string, outer: readonly string[]): boolean {
  return outer.some((prefix) => path.startsWith(`${prefix}.`) || path.startsWith(`${prefix}[`));
}
