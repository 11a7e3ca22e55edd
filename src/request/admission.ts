import type { GroupVersionKind, GroupVersionResource, KubernetesObject } from '../model/object.ts';
import type { UserInfo } from './user.ts';

export type AdmissionOperation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

/** The input of an admission plugin. Only mutating plugins may modify `object`, in place. */
export interface AdmissionRequest {
  readonly operation: AdmissionOperation;
  readonly user: UserInfo;
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
  readonly subresource: string;
  readonly namespace: string;
  /** Empty until a generated name is chosen. */
  readonly name: string;
  /** The new object in its storage version (undefined on DELETE). */
  object: KubernetesObject | undefined;
  /** The stored object (UPDATE, DELETE). */
  readonly oldObject: KubernetesObject | undefined;
  readonly dryRun: boolean;
  /** CreateOptions, UpdateOptions, PatchOptions or DeleteOptions. */
  readonly options: KubernetesObject | undefined;
  /** Adds a Warning header to the response. */
  warn(message: string): void;
  /** Adds an audit annotation. */
  annotate(key: string, value: string): void;
}

/**
 * An admission plugin. `admit` may modify the object, `validate` may only reject it by throwing an ApiError.
 * `handles` is called once per operation and resource, so that the chain is prepared at registration.
 */
export interface AdmissionPlugin {
  readonly name: string;
  handles(operation: AdmissionOperation, group: string, resource: string, subresource: string): boolean;
  admit?(request: AdmissionRequest): void | Promise<void>;
  validate?(request: AdmissionRequest): void | Promise<void>;
  /** Whether it may wait for something outside the process (a webhook) in such an operation. Default: no. */
  leavesProcess?(
    operation: AdmissionOperation,
    group: string,
    resource: string,
    subresource: string,
  ): boolean;
  /**
   * The reason why a dry run must be rejected, or undefined if the plugin has no side effects for this
   * request. The plugin itself rejects the dry run.
   */
  sideEffects?(request: AdmissionRequest): string | undefined;
}

/** The admission chain: all mutating plugins, then all validating ones. */
export interface Admission {
  handles(operation: AdmissionOperation, group: string, resource: string, subresource: string): boolean;
  admit(request: AdmissionRequest): void | Promise<void>;
  validate(request: AdmissionRequest): void | Promise<void>;
  /**
   * Whether a plugin may wait for something outside the process; no lock may be held meanwhile. Default: no.
   */
  leavesProcess?(
    operation: AdmissionOperation,
    group: string,
    resource: string,
    subresource: string,
  ): boolean;
}
