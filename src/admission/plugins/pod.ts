import { getMember, type KubernetesObject } from '../../model/object.ts';
import type { AdmissionOperation } from '../../request/admission.ts';

/** The members of a pod that admission plugins use. */
export interface PodSpec {
  serviceAccountName?: string;
  serviceAccount?: string;
  automountServiceAccountToken?: boolean;
  imagePullSecrets?: { name?: string }[];
  containers?: Container[];
  initContainers?: Container[];
  volumes?: { name: string; [source: string]: unknown }[];
  tolerations?: Toleration[];
  nodeSelector?: Record<string, string>;
  priorityClassName?: string;
  priority?: number;
  preemptionPolicy?: string;
  runtimeClassName?: string;
  overhead?: Record<string, string>;
}
export interface Container {
  name?: string;
  volumeMounts?: { name: string; mountPath: string; readOnly?: boolean }[];
}
export interface Toleration {
  key?: string;
  operator?: string;
  value?: string;
  effect?: string;
  tolerationSeconds?: number;
}

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
