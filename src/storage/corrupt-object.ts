import { BinnacleError } from '../errors/binnacle-error.ts';

/**
 * The stored bytes of an object are corrupt or cannot be decoded. `key` names the object for the operator.
 */
export class CorruptObjectError extends BinnacleError {
  override name = 'CorruptObjectError';
  readonly code = 'ERR_BINNACLE_CORRUPT_OBJECT';
  constructor(
    readonly key: string,
    override readonly cause: unknown,
    message?: string,
  ) {
    super(
      message ??
        `data from the storage is not decodable as expected, key ${JSON.stringify(key)}: ${cause instanceof Error ? cause.message : String(cause)}`,
    );
  }
}

/** A value is intact, and this server has no type for it: another release wrote it. It must not be decoded or changed. */
export class UnreadableValueError extends BinnacleError {
  override name = 'UnreadableValueError';
  readonly code = 'ERR_BINNACLE_UNREADABLE_VALUE';
}
