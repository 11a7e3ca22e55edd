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
  const visitNamed = (kind: ReferencedKind, name: string | undefined) => {
    if (name !== undefined && name !== '') visit(kind, name);
  };
  visitNamed('serviceaccount', spec.serviceAccountName);
  for (const secret of spec.imagePullSecrets ?? []) visitNamed('secret', secret.name);
  for (const container of containersOf(spec)) visitContainer(container, visitNamed);
  for (const volume of spec.volumes ?? []) visitVolume(volume, pod.metadata?.name ?? '', visitNamed);
  for (const claim of spec.resourceClaims ?? []) {
    const generated = pod.status?.resourceClaimStatuses?.find(
      ({ name }) => name === claim.name,
    )?.resourceClaimName;
    visitNamed('resourceclaim', claim.resourceClaimName ?? generated);
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

function visitContainer(
  { env = [], envFrom = [] }: Pick<Container, 'env' | 'envFrom'>,
  visitNamed: Visit,
): void {
  for (const source of envFrom) {
    visitNamed('secret', source.secretRef?.name);
    visitNamed('configmap', source.configMapRef?.name);
  }
  for (const { valueFrom } of env as readonly EnvVar[]) {
    visitNamed('secret', valueFrom?.secretKeyRef?.name);
    visitNamed('configmap', valueFrom?.configMapKeyRef?.name);
  }
}

function visitVolume(volume: Volume, podName: string, visitNamed: Visit): void {
  visitNamed('secret', volume.secret?.secretName);
  visitNamed('configmap', volume.configMap?.name);
  visitNamed('secret', volume.azureFile?.secretName);
  visitNamed('secret', volume.csi?.nodePublishSecretRef?.name);
  for (const source of [
    volume.cephfs,
    volume.cinder,
    volume.flexVolume,
    volume.rbd,
    volume.scaleIO,
    volume.iscsi,
    volume.storageos,
  ])
    visitNamed('secret', source?.secretRef?.name);
  for (const source of volume.projected?.sources ?? []) {
    visitNamed('secret', source.secret?.name);
    visitNamed('configmap', source.configMap?.name);
  }
  visitNamed(
    'pvc',
    volume.persistentVolumeClaim?.claimName ??
      (volume.ephemeral === undefined ? undefined : `${podName}-${volume.name}`),
  );
}
