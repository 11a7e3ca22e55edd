/** A semantic version; numbers are 64-bit. */
export interface SemanticVersion {
  readonly numbers: readonly [major: bigint, minor: bigint, patch: bigint];
  /** Parts of the pre-release; numeric ones are numbers. */
  readonly preRelease: readonly (string | bigint)[];
}

export const ZERO_VERSION: SemanticVersion = { numbers: [0n, 0n, 0n], preRelease: [] };

const MAXIMUM = 2n ** 64n - 1n;
const NUMBER = /^(0|[1-9][0-9]*)$/;
const PART = /^[0-9A-Za-z-]+$/;

function parseNumber(text: string | undefined): bigint | undefined {
  if (text === undefined || text.length > 20 || !NUMBER.test(text)) return undefined;
  const value = BigInt(text);
  return value > MAXIMUM ? undefined : value;
}

/** Parses `major.minor.patch[-pre.release][+build]`; undefined for any other text. */
export function parseSemanticVersion(text: string): SemanticVersion | undefined {
  const plus = text.indexOf('+');
  const version = plus < 0 ? text : text.slice(0, plus);
  const build = plus < 0 ? [] : text.slice(plus + 1).split('.');
  const dash = version.indexOf('-');
  const release = (dash < 0 ? version : version.slice(0, dash)).split('.');
  const parts = dash < 0 ? [] : version.slice(dash + 1).split('.');
  if (release.length !== 3 || ![...build, ...parts].every((part) => PART.test(part))) return undefined;
  const [major, minor, patch] = release.map(parseNumber);
  if (major === undefined || minor === undefined || patch === undefined) return undefined;
  const preRelease = parts.map((part) => (/^[0-9]+$/.test(part) ? parseNumber(part) : part));
  if (preRelease.includes(undefined)) return undefined;
  return { numbers: [major, minor, patch], preRelease: preRelease as (string | bigint)[] };
}

/** Compares two versions by precedence; build metadata does not count. */
export function compareSemanticVersions(left: SemanticVersion, right: SemanticVersion): number {
  for (const [index, number] of left.numbers.entries()) {
    const other = right.numbers[index]!;
    if (number !== other) return number < other ? -1 : 1;
  }
  const [a, b] = [left.preRelease, right.preRelease];
  if (a.length === 0 || b.length === 0) return Math.sign(b.length - a.length);
  for (let index = 0; index < Math.min(a.length, b.length); index += 1) {
    const order = comparePart(a[index]!, b[index]!);
    if (order !== 0) return order;
  }
  return Math.sign(a.length - b.length);
}

function comparePart(a: string | bigint, b: string | bigint): number {
  if (a === b) return 0;
  if (typeof a !== typeof b) return typeof a === 'bigint' ? -1 : 1;
  return a < b ? -1 : 1;
}
