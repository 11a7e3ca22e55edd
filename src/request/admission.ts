import type { GroupVersionKind, GroupVersionResource, KubernetesObject } from '../model/object.ts';
import type { UserInfo } from './user.ts';

export type AdmissionOperation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

/** What an admission step sees. `object` may be changed in place by mutating steps only. */
export interface AdmissionRequest {
  readonly operation: AdmissionOperation;
  readonly user: UserInfo;
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
  readonly subresource: string;
  readonly namespace: string;
  /** Empty while a generated name is not known. */
  readonly name: string;
  /** The new object in its storage version (undefined on DELETE). */
  object: KubernetesObject | undefined;
  /** The stored object (UPDATE, DELETE). */
  readonly oldObject: KubernetesObject | undefined;
  readonly dryRun: boolean;
  /** CreateOptions, UpdateOptions, PatchOptions or DeleteOptions. */
  readonly options: KubernetesObject | undefined;
  /** Adds a Warning header to the answer. */
  warn(message: string): void;
  /** Adds an audit annotation. */
  annotate(key: string, value: string): void;
}

/**
 * One admission plugin. `admit` may change the object, `validate` may only refuse (by throwing an ApiError).
 * `handles` is asked once per operation and resource, so that the chain can be prepared at registration.
 */
export interface AdmissionPlugin {
  readonly name: string;
  handles(operation: AdmissionOperation, group: string, resource: string, subresource: string): boolean;
  admit?(request: AdmissionRequest): void | Promise<void>;
  validate?(request: AdmissionRequest): void | Promise<void>;
  /** It may wait for something outside the process (a webhook) in such an operation. Default: it does not. */
  leavesProcess?(
    operation: AdmissionOperation,
    group: string,
    resource: string,
    subresource: string,
  ): boolean;
  /**
   * A step that has side effects refuses a dry run itself, here: undefined when it has none for this request,
   * else the reason.
   */
  sideEffects?(request: AdmissionRequest): string | undefined;
}

/** The chain the operations call: all mutations, then all validations. */
export interface Admission {
  handles(operation: AdmissionOperation, group: string, resource: string, subresource: string): boolean;
  admit(request: AdmissionRequest): void | Promise<void>;
  validate(request: AdmissionRequest): void | Promise<void>;
  /**
   * A step may wait for something outside the process: nobody may be kept waiting meanwhile. Default: none
   * does.
   */
  leavesProcess?(
    operation: AdmissionOperation,
    group: string,
    resource: string,
    subresource: string,
  ): boolean;
}
