import type { Node } from '../../../model/generated/core-v1.ts';
import { AGE, ageOf, column, NAME, nameOf, table, wide } from '../../tables/define.ts';
import { orNone, orUnknown } from '../../tables/format.ts';

const ROLE_PREFIX = 'node-role.kubernetes.io/';

/** Returns the roles of a node from its labels: one per label, or the value of the legacy label. */
function rolesOf({ metadata }: Node): string {
  const roles = Object.entries(metadata?.labels ?? {}).flatMap(([key, value]) =>
    key.startsWith(ROLE_PREFIX) && key.length > ROLE_PREFIX.length
      ? [key.slice(ROLE_PREFIX.length)]
      : key === 'kubernetes.io/role' && value !== ''
        ? [value]
        : [],
  );
  return orNone([...new Set(roles)].sort().join(','));
}

function statusOf({ spec, status }: Node): string {
  // Of several conditions of the type, the last one counts.
  const ready = status?.conditions?.findLast(({ type }) => type === 'Ready')?.status;
  const word = ready === undefined ? 'Unknown' : ready === 'True' ? 'Ready' : 'NotReady';
  return spec?.unschedulable === true ? `${word},SchedulingDisabled` : word;
}

/** The first address of a type, which may be empty. */
function addressOf({ status }: Node, addressType: string): string {
  const address = status?.addresses?.find(({ type }) => type === addressType);
  return address === undefined ? '<none>' : (address.address ?? '');
}

export const nodeTable = table<Node>(
  [
    NAME,
    column('Status', 'Whether the node is ready and schedulable.'),
    column('Roles', 'Roles given by labels.'),
    AGE,
    column('Version', 'Version of the kubelet.'),
    wide('Internal-IP', 'Address within the cluster.'),
    wide('External-IP', 'Address outside the cluster.'),
    wide('OS-Image', 'Operating system.'),
    wide('Kernel-Version', 'Version of the kernel.'),
    wide('Container-Runtime', 'Container runtime and its version.'),
  ],
  (node) => {
    const info = node.status?.nodeInfo;
    return [
      nameOf(node),
      statusOf(node),
      rolesOf(node),
      ageOf(node),
      info?.kubeletVersion ?? '',
      addressOf(node, 'InternalIP'),
      addressOf(node, 'ExternalIP'),
      orUnknown(info?.osImage),
      orUnknown(info?.kernelVersion),
      orUnknown(info?.containerRuntimeVersion),
    ];
  },
);
