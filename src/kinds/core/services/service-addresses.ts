import type { AddressFamily } from '../../../addresses/address.ts';
import type { Service } from '../../../model/generated/core-v1.ts';
import type { RuleContext } from '../../../model/rule-context.ts';
import type { Allocation } from '../../strategy.ts';

/** What the allocation depends on besides the Services. */
export interface AllocationContext extends RuleContext {
  readonly dryRun: boolean;
}

/** Reserves addresses and ports for Services. */
export interface ServiceAddresses {
  /** The families of the ranges, the primary one first. */
  readonly families: readonly AddressFamily[];
  /**
   * Sets families, addresses and ports of `service`, after defaulting and `prepareForCreate/Update` and before
   * validation.
   * @throws ApiError 422 for an invalid request, 500 when a range is full
   */
  allocate(
    service: Service,
    old: Service | undefined,
    context: AllocationContext,
  ): Promise<Allocation | undefined>;
  /** Releases the addresses and ports of a deleted Service. */
  release(service: Service): Promise<void>;
}
