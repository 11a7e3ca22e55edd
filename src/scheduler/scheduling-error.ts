import { BinnacleError } from '../errors/binnacle-error.ts';

/** A pod cannot be scheduled because of something that is wrong, not because of the nodes; it is tried again. */
export class SchedulingError extends BinnacleError {
  override name = 'SchedulingError';
  readonly code = 'ERR_BINNACLE_SCHEDULING';
}
