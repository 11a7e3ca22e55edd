import type { PodSpec, Toleration } from '../../model/generated/core-v1.ts';

const tolerating = (key: string, effect: string): Toleration => ({
  key: `node.kubernetes.io/${key}`,
  operator: 'Exists',
  effect,
});

/** Taints of nodes in trouble, on which daemons stay. */
const ADDED: readonly Toleration[] = [
  tolerating('not-ready', 'NoExecute'),
  tolerating('unreachable', 'NoExecute'),
  tolerating('disk-pressure', 'NoSchedule'),
  tolerating('memory-pressure', 'NoSchedule'),
  tolerating('pid-pressure', 'NoSchedule'),
  tolerating('unschedulable', 'NoSchedule'),
];
const ADDED_ON_HOST_NETWORK = [...ADDED, tolerating('network-unavailable', 'NoSchedule')];

/** The tolerations of daemons: those of their template, and added ones, which have no limit of time. */
export const daemonTolerations = ({ tolerations = [], hostNetwork }: PodSpec): Toleration[] =>
  (hostNetwork === true ? ADDED_ON_HOST_NETWORK : ADDED).reduce(withToleration, tolerations);

/** An added toleration replaces those that allow the same. */
function withToleration(tolerations: Toleration[], added: Toleration): Toleration[] {
  const allowsSame = ({ key, operator, value = '', effect }: Toleration): boolean =>
    key === added.key && operator === added.operator && value === '' && effect === added.effect;
  return tolerations.some(allowsSame)
    ? tolerations.map((one) => (allowsSame(one) ? added : one))
    : [...tolerations, added];
}
