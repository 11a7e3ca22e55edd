/** Audit annotation of a request for a deprecated resource. */
export const DEPRECATED_ANNOTATION = 'k8s.io/deprecated';
/** And of the release that no longer serves it. */
export const REMOVED_RELEASE_ANNOTATION = 'k8s.io/removed-release';

/** The release that takes a deprecated resource away, as its warning names it; empty when none is planned. */
export const removedRelease = (warning: string): string =>
  /unavailable in v(\d+\.\d+)/.exec(warning)?.[1] ?? '';
