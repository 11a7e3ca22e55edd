import type { Container, EnvVar, Pod, PodSpec, Volume } from './generated/core-v1.ts';

/** Kinds of objects that a node can access because a pod on it references them. */
export type ReferencedKind = 'secret' | 'configmap' | 'pvc' | 'serviceaccount' | 'resourceclaim';

const MIRROR = 'kubernetes.io/config.mirror';

/**
 * Visits the objects that a pod references. A mirror pod (created by the node itself) gives the node access
 * to nothing.
 */
export function visitPodReferences(pod: Pod, visit: (kind: ReferencedKind, name: string) => void): void {
  if (Object.hasOwn(pod.metadata?.annotations ?? {}, MIRROR)) return;
  const { spec = {} } = pod;
  const see = (kind: ReferencedKind, name: string | undefined) => {
    if (name !== undefined && name !== '') visit(kind, name);
  };
  see('serviceaccount', spec.serviceAccountName);
  for (const secret of spec.imagePullSecrets ?? []) see('secret', secret.name);
  for (const container of containersOf(spec)) visitContainer(container, see);
  for (const volume of spec.volumes ?? []) visitVolume(volume, pod.metadata?.name ?? '', see);
  for (const claim of spec.resourceClaims ?? []) {
    const made = pod.status?.resourceClaimStatuses?.find(
      ({ name }) => name === claim.name,
    )?.resourceClaimName;
    see('resourceclaim', claim.resourceClaimName ?? made);
  }
}

type Visit = (kind: ReferencedKind, name: string | undefined) => void;

const containersOf = ({
  initContainers = [],
  containers = [],
  ephemeralContainers = [],
}: PodSpec): readonly Pick<Container, 'env' | 'envFrom'>[] => [
  ...initContainers,
  ...containers,
  ...ephemeralContainers,
];

function visitContainer({ env = [], envFrom = [] }: Pick<Container, 'env' | 'envFrom'>, see: Visit): void {
  for (const source of envFrom) {
    see('secret', source.secretRef?.name);
    see('configmap', source.configMapRef?.name);
  }
  for (const { valueFrom } of env as readonly EnvVar[]) {
    see('secret', valueFrom?.secretKeyRef?.name);
    see('configmap', valueFrom?.configMapKeyRef?.name);
  }
}

function visitVolume(volume: Volume, podName: string, see: Visit): void {
  see('secret', volume.secret?.secretName);
  see('configmap', volume.configMap?.name);
  see('secret', volume.azureFile?.secretName);
  see('secret', volume.csi?.nodePublishSecretRef?.name);
  for (const source of [
    volume.cephfs,
    volume.cinder,
    volume.flexVolume,
    volume.rbd,
    volume.scaleIO,
    volume.iscsi,
    volume.storageos,
  ])
    see('secret', source?.secretRef?.name);
  for (const source of volume.projected?.sources ?? []) {
    see('secret', source.secret?.name);
    see('configmap', source.configMap?.name);
  }
  see(
    'pvc',
    volume.persistentVolumeClaim?.claimName ??
      (volume.ephemeral === undefined ? undefined : `${podName}-${volume.name}`),
  );
}
