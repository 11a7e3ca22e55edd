import type { GroupVersionKind, GroupVersionResource, KubernetesObject } from '../model/object.ts';
import type { Span } from '../observability/span.ts';
import type { MaybePromise } from '../steps/steps.ts';
import type { LoopTurns } from '../steps/turns.ts';
import type { UserInfo } from './user.ts';

export type AdmissionOperation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

/** An object of an admission request in one version, as a plugin outside the process sees it. */
export interface VersionedObject {
  /** In memory, in that version; it must not be changed. */
  readonly object: KubernetesObject;
  /** The plain JSON tree with apiVersion and kind, made once; it must not be changed. */
  plain(): object;
  /** The compact JSON text in the order of the kind's fields, made once. */
  json(): string;
  /** Makes {@link json} in steps; undefined where it takes no time. */
  encode?(): Promise<void> | undefined;
}

/** The objects of an admission request in one version. */
export interface VersionedObjects {
  /** Undefined on DELETE. */
  readonly object: VersionedObject | undefined;
  /** Undefined on CREATE and CONNECT. */
  readonly oldObject: VersionedObject | undefined;
}

/**
 * What the plugins of one request share. It is discarded with the request; an update that repeats its attempt
 * after a write conflict keeps it.
 */
export class AdmissionMemory {
  readonly #values = new Map<object, unknown>();

  /** Returns what `make` made for this key the first time. Plugins use an object of their own as key. */
  get<Value>(key: object, make: () => Value): Value {
    if (!this.#values.has(key)) this.#values.set(key, make());
    return this.#values.get(key) as Value;
  }
}

/** The two rounds of mutating admission of one attempt. */
export interface AdmissionRounds {
  /** 0, and 1 while all mutating plugins run again. Set by the chain. */
  round: 0 | 1;
  /** Set by a plugin that changed the object after others that may have to see the change. */
  needsSecond: boolean;
}

/** The level of the audit policy from which an annotation is recorded. */
export type AnnotationLevel = 'Metadata' | 'Request';

/** The input of an admission plugin. Only mutating plugins may modify `object`, in place. */
export interface AdmissionRequest {
  readonly operation: AdmissionOperation;
  readonly user: UserInfo;
  /** The kind of {@link object} in the version of the request: for a subresource it may be another kind. */
  readonly kind: GroupVersionKind;
  /** The resource in the version of the request. */
  readonly resource: GroupVersionResource;
  readonly subresource: string;
  /** Empty for cluster-scoped resources, namespaces included. */
  readonly namespace: string;
  /** Empty until a generated name is chosen, and for the objects of a collection that is deleted. */
  readonly name: string;
  /**
   * The new object in its working version, or the options of a CONNECT (undefined on DELETE). A plugin that
   * assigns it must assign an object of that version; see {@link replace} for other versions.
   */
  object: KubernetesObject | undefined;
  /** The stored object in its working version (UPDATE, DELETE). */
  readonly oldObject: KubernetesObject | undefined;
  readonly dryRun: boolean;
  /** CreateOptions, UpdateOptions or DeleteOptions with kind and apiVersion; undefined on CONNECT. */
  readonly options: KubernetesObject | undefined;
  /** Monotonic milliseconds at which the request times out; Infinity for none. */
  readonly deadline: number;
  /** The span of the request's handler. */
  readonly span?: Span | undefined;
  /** Aborted when the request has ended: its client is gone, or it got its response. */
  readonly signal: AbortSignal;
  /** The turns of the event loop for the steps of the request. */
  readonly turns: LoopTurns;
  /**
   * A write of the server itself, such as its lease. Only plugins that cannot be configured at run time see
   * it: a webhook must not keep the server from working.
   */
  readonly isOwnWrite: boolean;
  readonly memory: AdmissionMemory;
  readonly rounds: AdmissionRounds;
  /**
   * Returns the objects in a version of the kind, for example `autoscaling/v2`, converted if need be. The
   * result is made once until the object changes; a promise means that a conversion leaves the process.
   * @throws ApiError when a conversion fails, Error for a version that the kind does not have
   */
  inVersion(apiVersion: string): MaybePromise<VersionedObjects>;
  /**
   * Replaces {@link object} by a plain JSON tree in a version of the kind: it is decoded without its unknown
   * fields, defaulted and converted to the working version.
   * @param strict whether unknown fields of a built-in kind are errors
   * @returns whether the decoded object differs from the previous one
   * @throws DecodeError for values of wrong types; ApiError when a conversion fails
   */
  replace(apiVersion: string, plain: unknown, strict?: boolean): MaybePromise<boolean>;
  /**
   * Merges a configuration into {@link object} in a version of the kind, as server-side apply does but without
   * owners.
   * @param configuration a plain tree without apiVersion and kind
   * @returns the plain tree of the result, for {@link replace}. Rejects with DecodeError when the configuration
   * does not fit the schema, or sets atomic values, and with ApiError when a conversion fails
   */
  merge(apiVersion: string, configuration: object): Promise<object>;
  /** Says that {@link object} was changed in place: {@link inVersion} converts it again. */
  objectChanged(): void;
  /** Adds a Warning header to the response. */
  warn(message: string): void;
  /** Adds an audit annotation; the first value of a key stays. Default level: Metadata. */
  annotate(key: string, value: string, level?: AnnotationLevel): void;
}

/** A property of the operations on a resource or subresource. */
export type OperationTest = (
  operation: AdmissionOperation,
  group: string,
  resource: string,
  subresource: string,
) => boolean;

/**
 * An admission plugin. `admit` may modify the object, `validate` may only reject it by throwing an ApiError.
 * What `handles` and `leavesProcess` return is remembered per operation and resource until {@link generation}
 * changes.
 */
export interface AdmissionPlugin {
  readonly name: string;
  /**
   * Grows with every change of what the plugin handles: of its configuration, or of the served resources.
   * Absent for plugins whose answers never change.
   */
  readonly generation?: number | undefined;
  /**
   * Configured at run time by objects of the API (webhooks, policies). Such a plugin does not see the writes
   * of the server itself.
   */
  readonly isConfiguredByObjects?: boolean;
  readonly handles: OperationTest;
  admit?(request: AdmissionRequest): void | Promise<void>;
  validate?(request: AdmissionRequest): void | Promise<void>;
  /** Whether it may wait for something outside the process (a webhook) in such an operation. Default: no. */
  readonly leavesProcess?: OperationTest;
  /**
   * The reason why a dry run must be rejected, or undefined if the plugin has no side effects for this
   * request. The plugin itself rejects the dry run.
   */
  sideEffects?(request: AdmissionRequest): string | undefined;
}

/** The admission chain: all mutating plugins, twice if one asks for it, then all validating ones. */
export interface Admission {
  readonly handles: OperationTest;
  admit(request: AdmissionRequest): void | Promise<void>;
  validate(request: AdmissionRequest): void | Promise<void>;
  /** Counts an operation that skips both phases because no plugin handles it. */
  passed?(operation: AdmissionOperation, group: string, resource: string, subresource: string): void;
  /**
   * Whether a plugin may wait for something outside the process; no lock may be held meanwhile. Default: no.
   */
  readonly leavesProcess?: OperationTest;
}
