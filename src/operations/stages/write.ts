import type { StrategyContext } from '../../kinds/strategy.ts';
import type { KubernetesObject } from '../../model/object.ts';
import type { AdmissionAttempt } from '../admission-request.ts';
import type { AdmittedForm } from '../admitted-kind.ts';
import type { AttemptResult } from '../compare-and-swap.ts';
import { type OperationContext, strategyContext } from '../environment.ts';
import type { TransactionOutcome } from '../transact.ts';
import { Reservations } from './reservations.ts';

/**
 * One attempt to create, update or delete an object: what its stages pass on to each other. A stage says which
 * members it reads and changes.
 */
export abstract class Write<Result = unknown> {
  /** The object to store, in the storage version. A stage may change it, or replace it. */
  object!: KubernetesObject;
  /** The stored object; undefined for a creation. */
  old: KubernetesObject | undefined = undefined;
  /** Undefined if no plugin handles the write. */
  admission: AdmissionAttempt | undefined = undefined;
  /** The encoded object. */
  value!: Uint8Array;
  /** What became of the transaction; undefined until one has been answered. */
  outcome: TransactionOutcome | undefined = undefined;
  /** Set by the stage that ends the attempt; further stages do not run. */
  result: AttemptResult<Result> | undefined = undefined;
  readonly reservations = new Reservations();
  readonly view: StrategyContext;

  constructor(
    readonly context: OperationContext,
    readonly operation: 'CREATE' | 'UPDATE' | 'DELETE',
    /** That of the request; generated, or empty until the object is prepared, for some creations. */
    public name: string,
    /** The options of the request, for admission. */
    readonly options: KubernetesObject | undefined,
    /** Admission sees another form of the objects (a Scale). */
    readonly admittedForm: AdmittedForm | undefined,
    /**
     * To be called before waiting for anything outside the process, so that other writers can proceed; undefined
     * for a write that waits in no queue.
     */
    readonly leaveTurn: (() => void) | undefined,
  ) {
    this.view = strategyContext(context);
  }
}
