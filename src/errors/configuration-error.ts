import { BinnacleError } from './binnacle-error.ts';

/** An invalid configuration that prevents the start. The message is one line that says what to change. */
export class ConfigurationError extends BinnacleError {
  override name = 'ConfigurationError';
  readonly code = 'ERR_BINNACLE_CONFIGURATION';
}

const REASONS = new Map([
  ['ENOENT', 'no such file or directory'],
  ['EACCES', 'permission denied'],
  ['EPERM', 'operation not permitted'],
  ['EISDIR', 'is a directory'],
  ['ENOTDIR', 'not a directory'],
  ['EEXIST', 'file exists'],
  ['ENOSPC', 'no space left on device'],
  ['EROFS', 'read-only file system'],
  ['EMFILE', 'too many open files'],
]);

/**
 * Runs a file operation and converts its error to `<operation> <file>: <reason>`, the text of Kubernetes
 * components.
 */
export function withFile<Result>(
  operation: 'open' | 'read' | 'write' | 'mkdir' | 'rename' | 'stat',
  file: string,
  action: () => Result,
): Result {
  try {
    return action();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const named = code === 'EISDIR' && operation === 'open' ? 'read' : operation;
    throw new ConfigurationError(`${named} ${file}: ${(code !== undefined && REASONS.get(code)) || message}`);
  }
}
