import type { CacheRecord } from '../../cache/record.ts';
import type { KubernetesObject } from '../../model/object.ts';
import type { AdmittedForm } from '../admitted-kind.ts';
import type { OperationContext } from '../environment.ts';
import { Write } from './write.ts';

export interface UpdateRequest {
  readonly name: string;
  /**
   * Returns the desired object in the storage version, defaulted, computed from the stored one (a private
   * copy; undefined if it does not exist). Called again after a write conflict.
   */
  transform(
    current: KubernetesObject | undefined,
    record: CacheRecord | undefined,
  ): KubernetesObject | Promise<KubernetesObject>;
  /** {@link transform} does not modify the stored object, and its result shares nothing with it. */
  readonly leavesCurrent?: boolean;
  /** PUT: the desired object is complete; {@link transform} gets no stored object. */
  readonly replaces?: boolean;
  /** Creates a missing object (PUT of some kinds, apply). */
  readonly createsWhenMissing: boolean;
  /** PATCH: the resourceVersion in the result comes from the stored object and is not a precondition. */
  readonly unconditional: boolean;
  readonly options?: KubernetesObject;
  /**
   * Whether the uid of the desired object is a precondition; false for patches, where another uid is a
   * forbidden change. Default true.
   */
  readonly checksUid?: boolean;
  /** Whether the last result of {@link transform} is stored even if it equals the stored object. */
  alwaysWrites?(): boolean;
  /** Admission sees another kind than the stored one (a Scale). */
  readonly admittedForm?: AdmittedForm;
  /** Runs before an update creates an object (apply needs the `create` permission). */
  authorizeCreate?(): void | Promise<void>;
}

export interface UpdateResult {
  readonly record: CacheRecord;
  readonly created: boolean;
}

/** One attempt to update a stored object. */
export class Update extends Write<UpdateResult> {
  /** Set by the first stage. */
  declare old: KubernetesObject;
  /** Fields of the stored object that this server does not know, and therefore drops. */
  droppedFields = 0;
  /** The client named the version that it changes: a conflict is its own. */
  isConditional = false;
  /** The update removes the last finalizer of a deleted object, and the object with it. */
  removes = false;

  constructor(
    context: OperationContext,
    readonly request: UpdateRequest,
    /** The stored object from which the attempt starts. */
    readonly record: CacheRecord,
    leaveTurn: () => void,
  ) {
    super(context, 'UPDATE', request.name, request.options, request.admittedForm, leaveTurn);
  }
}
