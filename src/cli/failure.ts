import type { CommandOutput } from './output.ts';

/**
 * Reports a failure, in one line unless its message has several, and returns the exit code.
 * @param advice unless the message has a suggestion
 */
export function reportFailure(
  failure: unknown,
  output: Pick<CommandOutput, 'error'>,
  advice?: string,
): number {
  const error = explainMissing(failure);
  const message = (error instanceof Error ? error.message : String(error)).trim();
  const suffix = advice === undefined || message.endsWith('?') ? '' : `; ${advice}`;
  // A message of several lines (a CEL error with its marker) starts on a line of its own.
  const text = message.includes('\n') ? `\n  ${message.replaceAll('\n', '\n  ')}` : ` ${message}`;
  output.error(`Error:${text}${suffix}\n`);
  return 1;
}

/** A package or file of this program that cannot be found is no error of the user's command. */
function explainMissing(error: unknown): unknown {
  const { code, message } = (error ?? {}) as Partial<NodeJS.ErrnoException>;
  return code === 'ERR_MODULE_NOT_FOUND'
    ? new Error(`Binnacle cannot load: ${message}: install it again, with its dependencies`)
    : error;
}
