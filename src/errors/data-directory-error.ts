/**
 * The data directory is unusable. The message is one line that names the file or directory and the remedy.
 */
export class DataDirectoryError extends Error {
  override name = 'DataDirectoryError';
}
