import { errors } from '../status/errors.ts';
import type { NumberPool } from './number-pool.ts';
import type { AllocationTransaction, PoolEntry } from './transaction.ts';

/** The node port range and its pool. */
export class NodePorts {
  constructor(
    readonly first: number,
    readonly last: number,
    readonly pool: NumberPool,
  ) {}

  entryOf(port: number): PoolEntry | undefined {
    return port >= this.first && port <= this.last
      ? { pool: this.pool, offset: port - this.first }
      : undefined;
  }

  /** Reserves a requested port. Returns the error message, or undefined on success. */
  async reserve(transaction: AllocationTransaction, port: number): Promise<string | undefined> {
    if (transaction.isDryRun) {
      // As kube-apiserver does, a dry run skips the range check.
      const entry = this.entryOf(port);
      const isAllocated = entry !== undefined && !(await transaction.reserve(entry));
      return isAllocated || !transaction.recordDryRunPort(port)
        ? 'provided port is already allocated'
        : undefined;
    }
    const entry = this.entryOf(port);
    if (entry === undefined)
      return `provided port is not in the valid range. The range of valid ports is ${this.first}-${this.last}`;
    return (await transaction.reserve(entry)) ? undefined : 'provided port is already allocated';
  }

  /** Allocates any free port. @throws ApiError 500 when the range is full */
  async allocateNext(transaction: AllocationTransaction): Promise<number> {
    if (transaction.isDryRun) return transaction.nextDryRunPort(this.last);
    const offset = await transaction.allocateNext(this.pool, -1);
    if (offset === undefined) throw errors.internal('failed to allocate a nodePort: range is full');
    return this.first + offset;
  }
}
