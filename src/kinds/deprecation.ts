/** Audit annotation of a request for a deprecated resource. */
export const DEPRECATED_ANNOTATION = 'k8s.io/deprecated';
/** Audit annotation of the release that no longer serves it. */
export const REMOVED_RELEASE_ANNOTATION = 'k8s.io/removed-release';

/** Extracts the release that removes a deprecated resource from its warning; empty when none is planned. */
export const removedRelease = (warning: string): string =>
  /unavailable in v(\d+\.\d+)/.exec(warning)?.[1] ?? '';
