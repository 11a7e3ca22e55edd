import type { Lease } from '../model/generated/coordination-v1.ts';
import type { Node } from '../model/generated/core-v1.ts';
import { formatMicroTime, timeToMilliseconds } from '../model/time.ts';

export const LEASE_NAMESPACE = 'kube-node-lease';
/** How long a renewal of a kubelet's Lease lasts, in seconds. */
const DURATION = 40;

/** Whether another client holds the Lease of a node at a time, so that the node is simulated by it. */
export function isHeldByAnother({ spec }: Lease, node: string, now: number): boolean {
  const { holderIdentity = '', renewTime, leaseDurationSeconds = DURATION } = spec ?? {};
  if (holderIdentity === '' || holderIdentity === node) return false;
  return typeof renewTime === 'string' && leaseEnd(renewTime, leaseDurationSeconds) > now;
}

/** When the Lease of another holder ends, in milliseconds since 1970. */
export const endOfLease = ({ spec }: Lease): number =>
  typeof spec?.renewTime === 'string' ? leaseEnd(spec.renewTime, spec.leaseDurationSeconds ?? DURATION) : 0;

const leaseEnd = (renewTime: string, seconds: number): number =>
  timeToMilliseconds(renewTime) + seconds * 1000;

/** A renewal by the kubelet of a node. */
export const renewedSpec = (node: string, now: number): NonNullable<Lease['spec']> => ({
  holderIdentity: node,
  leaseDurationSeconds: DURATION,
  renewTime: formatMicroTime(now),
});

/** The first Lease of a node, which its node owns. */
export const newLease = (node: Node, now: number): Lease => {
  const { name = '', uid = '' } = node.metadata ?? {};
  return {
    metadata: {
      name,
      namespace: LEASE_NAMESPACE,
      ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name, uid }],
    },
    spec: renewedSpec(name, now),
  };
};
