import { DEFAULT_MINOR, releaseOf, type ServedMinor } from '../../model/scheme.ts';

/** The version that `/version` answers for a minor version, without `v`: for example `1.32.13`. */
export const versionOf = (minor: ServedMinor): string => releaseOf(minor).gitVersion.slice(1);

/** The flags by which a server serves a minor version. */
export const flagsOf = (minor: ServedMinor): readonly string[] =>
  minor === DEFAULT_MINOR ? [] : [`--kubernetes-version=${minor}`];
