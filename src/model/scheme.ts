import type { Declarations } from './declare.ts';
import { gatesOf, goneGatesOf, type KnownGate } from './feature-gates.ts';
import { type GroupVersion, groupVersionsOf } from './group-versions.ts';
import { internalTypes } from './internal-types.ts';
import { aliveIn, hasReached, isAlive, type Life, type Minor } from './life.ts';
import { TypeModel } from './type-model.ts';
import { firstDeclarations } from './types/index.ts';
import { laterDeclarations } from './types/later.ts';

/** A release of Kubernetes that is implemented. */
export interface Release {
  /** For example `v1.32.13`. */
  readonly gitVersion: string;
  readonly major: string;
  /** For example `32`. */
  readonly minor: string;
  readonly state: ReleaseState;
}

/**
 * How far a release is implemented: `complete`: everything that is known to differ from other releases is there;
 * `incomplete`: compared with its kube-apiserver, and some rules are those of other releases; `not compared`: it is
 * made of what has a life, and nobody has compared its answers.
 */
export type ReleaseState = 'complete' | 'incomplete' | 'not compared';

/**
 * What one minor release consists of. Clusters of the same minor share one scheme: records, compiled types and
 * encodings that are kept with it serve all of them. Nothing else knows what belongs to which release: what differs
 * is declared with its life, and the scheme selects it.
 */
export interface Scheme {
  readonly minor: Minor;
  readonly release: Release;
  readonly types: TypeModel;
  /** The group versions that this release knows, served or not; sorted. */
  readonly groupVersions: readonly GroupVersion[];
  /** The feature gates by name, sorted. */
  readonly gates: ReadonlyMap<string, KnownGate>;
  /** Gates that this release no longer has: whether what they switched on is there. */
  readonly goneGates: ReadonlyMap<string, boolean>;
  /** Returns whether a gate is on by default, or, if this release no longer has it, what it switched on is there. */
  isOnByDefault(gate: string): boolean;
  /** Returns whether this release has something with this life. */
  has(life: Life): boolean;
  /** Returns whether this release is a version, for example `1.19`, or a later one. */
  hasReached(version: string): boolean;
  /** Selects what this release has. */
  select<Entry extends Life>(entries: readonly Entry[]): Entry[];
}

/** The implemented releases. */
const RELEASES = {
  '1.32': { gitVersion: 'v1.32.13', major: '1', minor: '32', state: 'complete' },
  '1.33': { gitVersion: 'v1.33.13', major: '1', minor: '33', state: 'not compared' },
  '1.34': { gitVersion: 'v1.34.4', major: '1', minor: '34', state: 'incomplete' },
  '1.35': { gitVersion: 'v1.35.4', major: '1', minor: '35', state: 'not compared' },
  '1.36': { gitVersion: 'v1.36.3', major: '1', minor: '36', state: 'not compared' },
  '1.37': { gitVersion: 'v1.37.2', major: '1', minor: '37', state: 'incomplete' },
} satisfies Partial<Record<Minor, Release>>;

/** A minor version that is implemented. */
export type ServedMinor = keyof typeof RELEASES;
export const SERVED_MINORS = Object.keys(RELEASES) as readonly ServedMinor[];

/** The release of an implemented minor version. */
export const releaseOf = (minor: ServedMinor): Release => RELEASES[minor];

/** The minor version that a server implements unless its options name another. */
export const DEFAULT_MINOR: ServedMinor = '1.32';

const schemes = new Map<Minor, Scheme>();

/**
 * Makes the scheme of a minor version from what is declared with a life.
 * @param later the declarations that are not loaded with this module
 */
function compileScheme(minor: ServedMinor, later: readonly Declarations[]): Scheme {
  const gates = gatesOf(minor);
  const goneGates = goneGatesOf(minor);
  return {
    minor,
    release: RELEASES[minor],
    types: new TypeModel([...firstDeclarations, ...later], minor),
    groupVersions: groupVersionsOf(minor),
    gates,
    goneGates,
    isOnByDefault: (gate) => gates.get(gate)?.enabled ?? goneGates.get(gate) ?? false,
    has: (life) => isAlive(life, minor),
    hasReached: (version) => hasReached(minor, version),
    select: (entries) => aliveIn(entries, minor),
  };
}

/**
 * Loads the scheme of a minor version with the modules that only it and later ones need; one for the process. Its
 * types are compiled when they are first used.
 */
export async function loadScheme(minor: ServedMinor): Promise<Scheme> {
  const known = schemes.get(minor);
  if (known !== undefined) return known;
  const modules = await Promise.all(aliveIn(laterDeclarations, minor).map(({ load }) => load()));
  const later = modules.map(({ default: declarations }) => declarations);
  for (const declarations of later) internalTypes.add(declarations);
  const scheme = schemes.get(minor) ?? compileScheme(minor, later);
  schemes.set(minor, scheme);
  return scheme;
}

/**
 * The scheme of a minor version that is loaded, or that needs no other modules.
 * @throws Error for one that was not loaded, which is a programming error
 */
export function schemeOf(minor: ServedMinor = DEFAULT_MINOR): Scheme {
  const known = schemes.get(minor);
  if (known !== undefined) return known;
  if (aliveIn(laterDeclarations, minor).length > 0) throw new Error(`Kubernetes ${minor} is not loaded`);
  const scheme = compileScheme(minor, []);
  schemes.set(minor, scheme);
  return scheme;
}
