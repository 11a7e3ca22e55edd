import type { Deployment, ReplicaSet } from '../../model/generated/apps-v1.ts';
import { controllerReference } from '../../reconcile/pods/pod-control.ts';
import { DEPLOYMENTS } from '../../reconcile/resources.ts';
import { templateHash } from '../../reconcile/template-hash.ts';
import type { ReplicaSets } from './replica-sets.ts';
import {
  copiedAnnotations,
  nextRevision,
  REVISION,
  replicaAnnotations,
  revisionAnnotations,
} from './revisions.ts';
import { initialReplicas } from './scaling.ts';
import { HASH_LABEL } from './template-hash.ts';

/** The ReplicaSet for the present template, as it is created. */
export function newReplicaSet(deployment: Deployment, { old, all }: ReplicaSets): ReplicaSet {
  const { metadata = {}, spec = {}, status = {} } = deployment;
  const { template = {}, selector = {}, minReadySeconds } = spec;
  const hash = templateHash(template, status.collisionCount ?? 0);
  const labels = { ...template.metadata?.labels, [HASH_LABEL]: hash };
  return {
    metadata: {
      name: `${metadata.name}-${hash}`,
      namespace: metadata.namespace ?? '',
      labels,
      annotations: {
        ...copiedAnnotations(deployment),
        [REVISION]: String(nextRevision(old)),
        ...replicaAnnotations(deployment),
      },
      ownerReferences: [controllerReference({ resource: DEPLOYMENTS, object: deployment })],
    },
    spec: {
      replicas: initialReplicas(deployment, all),
      ...(minReadySeconds !== undefined && { minReadySeconds }),
      selector: { ...selector, matchLabels: { ...selector.matchLabels, [HASH_LABEL]: hash } },
      template: { ...template, metadata: { ...template.metadata, labels } },
    },
  };
}

/**
 * The current ReplicaSet with what it takes over from its Deployment: annotations, the revision, and the time after
 * which a ready Pod is available.
 * @returns undefined if it has all of that
 */
export function adjusted(
  deployment: Deployment,
  current: ReplicaSet,
  { old }: ReplicaSets,
): ReplicaSet | undefined {
  const annotations: Readonly<Record<string, string>> = {
    ...copiedAnnotations(deployment),
    ...revisionAnnotations(current, nextRevision(old)),
  };
  const present = current.metadata?.annotations ?? {};
  const minReadySeconds = deployment.spec?.minReadySeconds ?? 0;
  const isSame =
    Object.entries(annotations).every(
      ([name, value]) => Object.hasOwn(present, name) && present[name] === value,
    ) && minReadySeconds === (current.spec?.minReadySeconds ?? 0);
  if (isSame) return undefined;
  return {
    ...current,
    metadata: { ...current.metadata, annotations: { ...present, ...annotations } },
    spec: { ...current.spec, minReadySeconds },
  };
}
