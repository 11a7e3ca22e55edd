/** The minor versions of Kubernetes that are known, oldest first. */
export const MINORS = ['1.31', '1.32', '1.33', '1.34', '1.35', '1.36', '1.37'] as const;
export type Minor = (typeof MINORS)[number];

/**
 * The releases that have something (a type, field, gate, resource, rule …), declared with the thing itself. Without
 * members, every release has it.
 */
export interface Life {
  /** The first release that has it. */
  readonly since?: Minor | undefined;
  /** The first release that no longer has it. */
  readonly until?: Minor | undefined;
}

const ordinals: ReadonlyMap<string, number> = new Map(MINORS.map((minor, ordinal) => [minor, ordinal]));

/** Returns whether a text names a known minor version. */
export const isMinor = (text: string): text is Minor => ordinals.has(text);

/** Returns whether a release has something with this life. */
export function isAlive({ since, until }: Life, minor: Minor): boolean {
  const ordinal = ordinals.get(minor)!;
  return (
    (since === undefined || ordinal >= ordinals.get(since)!) &&
    (until === undefined || ordinal < ordinals.get(until)!)
  );
}

/** `34` of `1.34`. Also for releases that are older than all that are known. */
const minorNumber = (version: string): number => Number(version.slice(version.indexOf('.') + 1));

/** Returns whether a release is a version, for example `1.19`, or a later one. */
export const hasReached = (minor: Minor, version: string): boolean =>
  minorNumber(minor) >= minorNumber(version);

/** Selects what a release has. */
export const aliveIn = <Entry extends Life>(entries: readonly Entry[], minor: Minor): Entry[] =>
  entries.filter((entry) => isAlive(entry, minor));

/** The release before this one; undefined for the oldest. */
export const minorBefore = (minor: Minor): Minor | undefined => MINORS[ordinals.get(minor)! - 1];

/**
 * Parses a life in a declaration text: `1.34` (since), `-1.36` (until) or `1.34-1.36`.
 * @throws Error for another form or an unknown release, which is a programming error
 */
export function parseLife(text: string): Life {
  const dash = text.indexOf('-');
  const [since, until] = dash < 0 ? [text, ''] : [text.slice(0, dash), text.slice(dash + 1)];
  for (const minor of [since, until])
    if (minor !== '' && !isMinor(minor)) throw new Error(`unknown release in ${text}`);
  return {
    since: (since || undefined) as Minor | undefined,
    until: (until || undefined) as Minor | undefined,
  };
}
