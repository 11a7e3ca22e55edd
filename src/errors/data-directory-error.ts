/**
 * The data directory cannot be used. The message is one line that names the file or directory and says what
 * to do.
 */
export class DataDirectoryError extends Error {
  override name = 'DataDirectoryError';
}
