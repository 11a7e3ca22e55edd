import { BinnacleError } from '../../errors/binnacle-error.ts';
import { CorruptObjectError } from '../corrupt-object.ts';

/**
 * A value could not be encrypted or decrypted now, because the key service did not provide a key. Nothing was
 * written; the same request may succeed later.
 */
export class EncryptionError extends BinnacleError {
  override name = 'EncryptionError';
  readonly code = 'ERR_BINNACLE_ENCRYPTION';
  /** @param status gRPC's name of the status of a call that failed, such as `Unavailable` */
  constructor(
    message: string,
    readonly status?: string,
  ) {
    super(message);
  }
}

/**
 * The stored bytes of an object are encrypted and no configured key decrypts them. They may become readable
 * with another configuration, so they must never be replaced.
 */
export class UndecryptableObjectError extends CorruptObjectError {
  override name = 'UndecryptableObjectError';
  constructor(key: string, cause: unknown) {
    super(key, cause, cause instanceof Error ? cause.message : String(cause));
  }
}
