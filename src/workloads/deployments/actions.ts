import type { Deployment, ReplicaSet } from '../../model/generated/apps-v1.ts';

/** What a reconcile does, in order. It ends with the first action that fails. */
export type Action =
  /** Creates the ReplicaSet of the present template; `deployment` has the status that says so. */
  | { readonly does: 'create'; readonly set: ReplicaSet; readonly deployment: Deployment }
  /** Changes a ReplicaSet. @property from the number that it had, if that changes */
  | { readonly does: 'update'; readonly set: ReplicaSet; readonly from?: number }
  | { readonly does: 'delete'; readonly set: ReplicaSet }
  /** Writes the status, and the annotation of the revision with it. */
  | { readonly does: 'status'; readonly deployment: Deployment }
  /** Writes the specification. */
  | { readonly does: 'respecify'; readonly deployment: Deployment }
  | {
      readonly does: 'report';
      readonly type: 'Normal' | 'Warning';
      readonly reason: string;
      readonly message: string;
    };

export interface Decision {
  readonly actions: readonly Action[];
  /** Milliseconds until the deployment is to be looked at again, although nothing changes. */
  readonly again?: number | undefined;
}
