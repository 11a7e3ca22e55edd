import type { Container, Pod, PodSecurityContext, SecurityContext } from '../../model/generated/core-v1.ts';

/** A violation of a rule. */
export interface Violation {
  readonly reason: string;
  readonly detail: string;
}

/** A pod prepared for checks. */
export interface CheckedPod {
  readonly pod: Pod;
  readonly security: PodSecurityContext;
  /** Init containers first, then containers, then ephemeral ones. */
  readonly containers: readonly CheckedContainer[];
  readonly isWindows: boolean;
  /** The pod has users of its own. */
  readonly hasUserNamespace: boolean;
}
export interface CheckedContainer {
  readonly name: string;
  readonly container: Container;
  readonly security: SecurityContext;
}

/** A rule: returns the violation of a pod, if any. @param minor minor version of the rule */
export type Check = (pod: CheckedPod, minor: number) => Violation | undefined;

/** Since this minor version, rules about users do not apply to pods with users of their own. */
export const ALLOWS_USER_NAMESPACES = 35;

/** Prepares a pod for checks. */
export function toCheckedPod(pod: Pod): CheckedPod {
  const { spec } = pod;
  const all: readonly Container[] = [
    ...(spec?.initContainers ?? []),
    ...(spec?.containers ?? []),
    ...((spec?.ephemeralContainers ?? []) as Container[]),
  ];
  return {
    pod,
    security: spec?.securityContext ?? {},
    containers: all.map((container) => ({
      container,
      name: container.name ?? '',
      security: container.securityContext ?? {},
    })),
    isWindows: spec?.os?.name === 'windows',
    hasUserNamespace: spec?.hostUsers === false,
  };
}

/** The capabilities that a container adds, except the allowed ones. */
export const addedCapabilities = (
  { security }: CheckedContainer,
  allowed: ReadonlySet<string>,
): readonly string[] => (security.capabilities?.add ?? []).filter((name) => !allowed.has(name));

/** `"a", "b"`. */
export const quoted = (values: Iterable<string>): string =>
  [...values].map((value) => `"${value}"`).join(', ');
export const plural = (one: string, many: string, number: number): string => (number === 1 ? one : many);
/** `container "a"`, `containers "a", "b"`; empty for none. */
export const formatContainers = (containers: readonly CheckedContainer[]): string =>
  containers.length === 0
    ? ''
    : `${plural('container', 'containers', containers.length)} ${quoted(containers.map(({ name }) => name))}`;
/** `pod and container "a"`. */
export const formatSetters = (
  pod: boolean,
  containers: readonly CheckedContainer[],
  ...more: string[]
): string =>
  [pod ? 'pod' : '', formatContainers(containers), ...more].filter((text) => text !== '').join(' and ');
export const sortedSet = (values: Iterable<string>): string[] => [...new Set(values)].sort();
