import type { MetricDeclaration } from './metric-family.ts';

/** Hides metrics deprecated before a release: `(1, 32)` hides those deprecated in 1.31 and earlier. */
export const deprecatedBefore =
  (major: number, minor: number) =>
  ({ deprecatedSince }: MetricDeclaration): boolean => {
    if (deprecatedSince === undefined) return false;
    const [since = 0, sinceMinor = 0] = deprecatedSince.split('.').map(Number);
    return since < major || (since === major && sinceMinor < minor);
  };
