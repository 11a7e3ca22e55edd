import { BinnacleError } from './binnacle-error.ts';

/**
 * The data directory is unusable. The message is one line that names the file or directory and the remedy.
 */
export class DataDirectoryError extends BinnacleError {
  override name = 'DataDirectoryError';
  readonly code = 'ERR_BINNACLE_DATA_DIRECTORY';
}
