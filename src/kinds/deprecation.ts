import type { Minor } from '../model/life.ts';
import type { Scheme } from '../model/scheme.ts';

/** When a version of a kind is deprecated and removed. */
export interface Deprecation {
  /** The release since which requests are warned, for example `1.31`. */
  readonly since: string;
  /** The release that no longer serves it. */
  readonly unavailable?: string;
  /** The kind to use instead, for example `discovery.k8s.io/v1 EndpointSlice`. */
  readonly replacement?: string;
  /** The first release whose warning names the replacement; default: every one. */
  readonly replacementSince?: Minor;
}

/** The warning of a release in the response to every request for a version of a kind; undefined: none yet. */
export function deprecationWarning(
  apiVersion: string,
  kind: string,
  { since, unavailable, replacement, replacementSince }: Deprecation,
  scheme: Scheme,
): string | undefined {
  if (!scheme.hasReached(since)) return undefined;
  const removal = unavailable === undefined ? '' : `, unavailable in v${unavailable}+`;
  const isNamed = replacement !== undefined && scheme.has({ since: replacementSince });
  return `${apiVersion} ${kind} is deprecated in v${since}+${removal}${isNamed ? `; use ${replacement}` : ''}`;
}

/** Audit annotation of a request for a deprecated resource. */
export const DEPRECATED_ANNOTATION = 'k8s.io/deprecated';
/** Audit annotation of the release that no longer serves it. */
export const REMOVED_RELEASE_ANNOTATION = 'k8s.io/removed-release';

/** Extracts the release that removes a deprecated resource from its warning; empty when none is planned. */
export const removedRelease = (warning: string): string =>
  /unavailable in v(\d+\.\d+)/.exec(warning)?.[1] ?? '';
