import { GATES_OF_1_32, type GateSpecification } from './feature-gates.ts';
import { TypeModel } from './type-model.ts';
import { allDeclarations } from './types/index.ts';

/** A release of Kubernetes that is implemented. */
export interface Release {
  /** For example `v1.32.13`. */
  readonly gitVersion: string;
  readonly major: string;
  /** For example `32`. */
  readonly minor: string;
}

/**
 * What one minor release consists of. Clusters of the same minor share one scheme: records, compiled types and
 * encodings that are kept with it serve all of them.
 */
export interface Scheme {
  readonly release: Release;
  readonly types: TypeModel;
  /** The feature gates by name, sorted. */
  readonly gates: ReadonlyMap<string, GateSpecification>;
}

/** Releases by minor version. */
const RELEASES: Readonly<Record<string, Release>> = {
  '1.32': { gitVersion: 'v1.32.13', major: '1', minor: '32' },
};

/** The releases that are implemented. */
export const releases = (): readonly Release[] => Object.values(RELEASES);

/** The minor version that a server implements unless its options name another. */
export const DEFAULT_MINOR = '1.32';

const schemes = new Map<string, Scheme>();

/**
 * The scheme of a minor version; one for the process. Its types are compiled when they are first used.
 * @param minor for example `1.32`
 * @throws Error for a minor version that is not implemented, which is a programming error
 */
export function schemeOf(minor: string = DEFAULT_MINOR): Scheme {
  let scheme = schemes.get(minor);
  if (scheme === undefined) {
    const release = RELEASES[minor];
    if (release === undefined) throw new Error(`Kubernetes ${minor} is not implemented`);
    scheme = { release, types: new TypeModel(allDeclarations), gates: GATES_OF_1_32 };
    schemes.set(minor, scheme);
  }
  return scheme;
}
