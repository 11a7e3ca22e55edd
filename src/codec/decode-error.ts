import { BinnacleError } from '../errors/binnacle-error.ts';

/**
 * A body or stored value cannot be decoded: a client error (400), not a server error. Clients see the
 * message.
 */
export class DecodeError extends BinnacleError {
  override name = 'DecodeError';
  readonly code = 'ERR_BINNACLE_DECODE';
}
