import type * as core from '../../../model/generated/core-v1.ts';
import type { RawJson } from '../../../model/object.ts';

/** Request data before validation: members that the API requires can be absent, but map entries cannot. */
export type Untrusted<T> = T extends readonly (infer Element)[]
  ? Untrusted<Element>[]
  : T extends RawJson
    ? T
    : T extends object
      ? string extends keyof T
        ? { [Key in keyof T]: Untrusted<T[Key]> }
        : { [Member in keyof T]?: Untrusted<T[Member]> }
      : T;

export type Pod = Untrusted<core.Pod>;
export type PodSpec = Untrusted<core.PodSpec>;
export type PodTemplateSpec = Untrusted<core.PodTemplateSpec>;
export type Container = Untrusted<core.Container>;
export type EphemeralContainer = Untrusted<core.EphemeralContainer>;
export type ContainerPort = Untrusted<core.ContainerPort>;
export type Volume = Untrusted<core.Volume>;
export type VolumeMount = Untrusted<core.VolumeMount>;
export type Probe = Untrusted<core.Probe>;
export type LifecycleHandler = Untrusted<core.LifecycleHandler>;
export type EnvVar = Untrusted<core.EnvVar>;
export type EnvFromSource = Untrusted<core.EnvFromSource>;
export type SecurityContext = Untrusted<core.SecurityContext>;
export type PodSecurityContext = Untrusted<core.PodSecurityContext>;
export type Affinity = Untrusted<core.Affinity>;
export type NodeSelectorTerm = Untrusted<core.NodeSelectorTerm>;
export type PodAffinityTerm = Untrusted<core.PodAffinityTerm>;
export type TopologySpreadConstraint = Untrusted<core.TopologySpreadConstraint>;
export type Toleration = Untrusted<core.Toleration>;
export type PodCondition = Untrusted<core.PodCondition>;
export type PodStatus = Untrusted<core.PodStatus>;
export type ContainerStatus = Untrusted<core.ContainerStatus>;
export type KeyToPath = Untrusted<core.KeyToPath>;
export type ResourceList = Readonly<Record<string, string>>;

/** Options of pod validation that depend on the server, not on the pod. */
export interface PodValidationOptions {
  /** Whether privileged containers are allowed. */
  readonly allowPrivileged?: boolean;
}

/** Options for a pod specification: `isPod` is false in a template, whose pods are defaulted when created. */
export interface PodSpecValidationOptions extends PodValidationOptions {
  readonly isPod: boolean;
  /** Whether sidecars may have resize policies, because the stored pod has them. */
  readonly allowsSidecarResizePolicy?: boolean;
}
