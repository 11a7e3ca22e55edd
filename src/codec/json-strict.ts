import { quote } from '../errors/quote.ts';
import type { Steps } from '../steps/steps.ts';
import { parseJsonExactly, type VisitedMember } from './json-exact.ts';

/** Maximum reported errors, as in kube-apiserver. */
const maximumReported = 100;

/** Characters of paths that are compared; further errors are reported without their order. */
const COMPARED_CHARACTERS = 2 * 1024 * 1024;

/**
 * Errors of strict decoding of a JSON document, in document order as in kube-apiserver: `duplicate field
 * "a.b"` and `unknown field "c"`. Duplicates inside unknown members are not reported.
 * @param bytes the document, which was parsed without error
 * @param duplicates paths from the parser, @param unknown paths from typed decoding
 */
export function* strictErrors(
  bytes: Uint8Array,
  duplicates: readonly string[],
  unknown: readonly string[],
): Steps<string[]> {
  if (duplicates.length === 0) return unknown.slice(0, maximumReported).map(unknownField);
  if (unknown.length === 0) return duplicates.slice(0, maximumReported).map(duplicateField);
  const found = new ReportedMembers(duplicates, unknown);
  yield* parseJsonExactly(bytes, { visit: (member) => found.visit(member) });
  return found.errors();
}

/** Finds the reported members of a document in their order. */
class ReportedMembers {
  private readonly found = new Set<string>();
  private readonly duplicates: ReadonlySet<string>;
  private readonly unknown: ReadonlySet<string>;
  /** Most members of a large document are excluded by their last name, without their path. */
  private readonly lastNames: ReadonlySet<string>;
  private comparedCharacters = 0;
  /** Depth of the unknown member that contains what follows. */
  private unknownDepth = Number.POSITIVE_INFINITY;

  constructor(duplicates: readonly string[], unknown: readonly string[]) {
    this.duplicates = new Set(duplicates);
    this.unknown = new Set(unknown);
    this.lastNames = new Set([...duplicates, ...unknown].map(lastName));
  }

  visit(member: VisitedMember): void {
    if (member.depth > this.unknownDepth) return;
    this.unknownDepth = Number.POSITIVE_INFINITY;
    if (!this.lastNames.has(lastName(member.name)) || this.comparedCharacters > COMPARED_CHARACTERS) return;
    const path = member.path();
    this.comparedCharacters += path.length;
    if (this.unknown.has(path)) {
      this.unknownDepth = member.depth;
      this.found.add(unknownField(path));
    } else if (member.isDuplicate && this.duplicates.has(path)) this.found.add(duplicateField(path));
  }

  errors(): string[] {
    if (this.comparedCharacters > COMPARED_CHARACTERS)
      for (const path of this.unknown) this.found.add(unknownField(path));
    return [...this.found].slice(0, maximumReported);
  }
}

const unknownField = (path: string): string => `unknown field ${quote(path)}`;
const duplicateField = (path: string): string => `duplicate field ${quote(path)}`;

/**
 * Errors of unknown fields and duplicate members in the result of a patch, in the order of a document with sorted
 * members. Those inside an unknown field are not reported.
 * @param duplicates paths by that of the value that contains them, whose members are not sorted
 * @param quotes whether paths are quoted; the result of a strategic merge patch is not decoded from text
 */
export function resultErrors(
  unknown: readonly string[],
  duplicates: ReadonlyMap<string, readonly string[]>,
  quotes: boolean,
): string[] {
  const isInside = (path: string) =>
    unknown.some(
      (field) => path.startsWith(field) && (path[field.length] === '.' || path[field.length] === '['),
    );
  const found: [place: string, errors: string[]][] = unknown.map((path) => [
    path,
    [quotes ? unknownField(path) : `unknown field "${path}"`],
  ]);
  for (const [place, paths] of duplicates)
    found.push([place, paths.filter((path) => !isInside(path)).map(duplicateField)]);
  return found.sort(([one], [other]) => byMember(one, other)).flatMap(([, errors]) => errors);
}

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
