import { errors } from '../../../../../status/errors.ts';
import type { NumberPool } from './number-pool.ts';
import type { AllocationTransaction, Place } from './transaction.ts';

/** The range of node ports. */
export class NodePorts {
  constructor(
    readonly first: number,
    readonly last: number,
    private readonly pool: NumberPool,
  ) {}

  placeOf(port: number): Place | undefined {
    return port >= this.first && port <= this.last
      ? { pool: this.pool, place: port - this.first }
      : undefined;
  }

  /** What is wrong with the port asked for; undefined once it is reserved. */
  async reserve(transaction: AllocationTransaction, port: number): Promise<string | undefined> {
    if (transaction.isDryRun) {
      // The reference checks the range in earnest only.
      const place = this.placeOf(port);
      const taken = place !== undefined && !(await transaction.reserve(place));
      return taken || !transaction.showPort(port) ? 'provided port is already allocated' : undefined;
    }
    const place = this.placeOf(port);
    if (place === undefined)
      return `provided port is not in the valid range. The range of valid ports is ${this.first}-${this.last}`;
    return (await transaction.reserve(place)) ? undefined : 'provided port is already allocated';
  }

  /** Any free port. @throws ApiError 500 when none is left */
  async draw(transaction: AllocationTransaction): Promise<number> {
    if (transaction.isDryRun) return transaction.placeholderPort(this.last);
    const place = await transaction.draw(this.pool, -1);
    if (place === undefined) throw errors.internal('failed to allocate a nodePort: range is full');
    return this.first + place;
  }
}
