import { ConfigurationError } from '../../errors/configuration-error.ts';

/** A server has as many clusters, or as much in them, as it may have; the message says what to do. */
export class NoRoomError extends ConfigurationError {
  override name = 'NoRoomError';
}

/** Another cluster has the name. */
export class NameInUseError extends ConfigurationError {
  override name = 'NameInUseError';
}
