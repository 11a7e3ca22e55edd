import type { CacheRecord } from '../../cache/record.ts';
import type { DeletionByName } from '../../kinds/strategy.ts';
import type { DeleteOptions } from '../../model/generated/meta-v1.ts';
import type { KubernetesObject } from '../../model/object.ts';
import type { OperationContext } from '../environment.ts';
import { Write } from './write.ts';

/** What is deleted, and how. */
export interface DeleteRequest {
  readonly name: string;
  readonly options: DeleteOptions;
  /** The options with kind and apiVersion, for admission. */
  readonly raw: KubernetesObject | undefined;
  /** The object belongs to a collection that is deleted: admission gets no name, and `rules` is undefined. */
  readonly collected: boolean;
  /** The kind's own rules, where they hold. */
  readonly rules: DeletionByName | undefined;
}

export interface DeleteResult {
  /** The object as last stored, or as deleted. */
  readonly record: CacheRecord;
  /** False while finalizers or a grace period delay the removal. */
  readonly removed: boolean;
}

/** What admission sees of a deletion besides the object. */
export interface AdmittedDeletion {
  readonly name: string;
  readonly options: KubernetesObject | undefined;
}

/** One attempt to delete a stored object, or to mark it for deletion. */
export class Deletion extends Write<DeleteResult> {
  /** Set once the object has been checked. */
  admitted!: AdmittedDeletion;
  /** Nothing delays the removal. */
  removes = false;
  /** The mark is stored, also before a removal. */
  marks = false;

  constructor(
    context: OperationContext,
    readonly request: DeleteRequest,
    /** The stored object from which the attempt starts. */
    readonly record: CacheRecord,
    leaveTurn: () => void,
  ) {
    super(context, 'DELETE', request.name, request.raw, undefined, leaveTurn);
  }
}
