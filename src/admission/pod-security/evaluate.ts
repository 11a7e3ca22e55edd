import type { Pod } from '../../model/generated/core-v1.ts';
import * as baseline from './baseline.ts';
import { type Check, toCheckedPod, type Violation } from './checks.ts';
import type { LevelVersion } from './policy.ts';
import * as restricted from './restricted.ts';

interface Rule {
  readonly check: Check;
  /** The minor version that introduced the rule. */
  readonly since?: number;
  /** The last minor version that has the rule. */
  readonly until?: number;
  /** The stricter rule that replaces it at the level `restricted`. */
  readonly replacedBy?: Check;
}

/** In the order in which violations are reported. */
const BASELINE: readonly Rule[] = [
  { check: baseline.appArmorProfile },
  { check: baseline.defaultCapabilities, replacedBy: restricted.restrictedCapabilities },
  { check: baseline.hostNamespaces },
  { check: baseline.hostPathVolumes, replacedBy: restricted.restrictedVolumes },
  { check: baseline.hostPorts },
  { check: baseline.probeHosts, since: 34 },
  { check: baseline.privileged },
  { check: baseline.procMount, until: 34 },
  { check: baseline.procMountOfHostUsers, since: 35, replacedBy: baseline.procMount },
  { check: baseline.seLinuxOptions },
  { check: baseline.seccompAnnotations, until: 18 },
  { check: baseline.seccompProfile, since: 19, replacedBy: restricted.restrictedSeccompProfile },
  { check: baseline.sysctls },
  { check: baseline.windowsHostProcess },
];
const RESTRICTED: readonly Rule[] = [
  { check: restricted.allowPrivilegeEscalation, since: 8 },
  { check: restricted.restrictedCapabilities, since: 22 },
  { check: baseline.procMount, since: 35 },
  { check: restricted.restrictedVolumes },
  { check: restricted.runAsNonRoot },
  { check: restricted.runAsUser, since: 23 },
  { check: restricted.restrictedSeccompProfile, since: 19 },
];

/**
 * The violations of a level by a pod.
 * @param newest the newest minor version with rules; later versions mean the same
 */
export function violations(pod: Pod, { level, minor: given }: LevelVersion, newest: number): Violation[] {
  if (level === 'privileged') return [];
  const minor = Math.min(given, newest);
  const checked = toCheckedPod(pod);
  const strict =
    level === 'restricted'
      ? RESTRICTED.filter(({ since = 0 }) => since <= minor).map(({ check }) => check)
      : [];
  const basic = BASELINE.filter(
    ({ since = 0, until = minor, replacedBy }) =>
      since <= minor && minor <= until && (replacedBy === undefined || !strict.includes(replacedBy)),
  ).map(({ check }) => check);
  return [...basic, ...strict].flatMap((check) => check(checked, minor) ?? []);
}

/** Violations in a sentence: `reason (detail), …`. */
export const formatViolations = (found: readonly Violation[]): string =>
  found.map(({ reason, detail }) => `${reason} (${detail})`).join(', ');
