import type { PodSpec } from '../../model/generated/core-v1.ts';
import { getMember, type KubernetesObject } from '../../model/object.ts';
import type { AdmissionOperation } from '../../request/admission.ts';

/** The spec of a pod, created when missing. */
export function podSpec(pod: KubernetesObject): PodSpec {
  pod.spec ??= {};
  return pod.spec as PodSpec;
}

/** Matches pods without subresource, for these operations. */
export const onPods =
  (...operations: AdmissionOperation[]) =>
  (operation: AdmissionOperation, group: string, resource: string, subresource: string): boolean =>
    group === '' && resource === 'pods' && subresource === '' && operations.includes(operation);

/** Whether the pod mirrors a static pod. */
export const isMirrorPod = (pod: KubernetesObject): boolean =>
  getMember(pod.metadata?.annotations ?? {}, 'kubernetes.io/config.mirror') !== undefined;
