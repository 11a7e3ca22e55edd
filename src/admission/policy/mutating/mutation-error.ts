import { BinnacleError } from '../../../errors/binnacle-error.ts';

/** A mutation cannot be evaluated or applied: the failure policy decides. */
export class MutationError extends BinnacleError {
  override name = 'MutationError';
  readonly code = 'ERR_BINNACLE_MUTATION';
}
