import { lstatSync, rmSync } from 'node:fs';
import { ConfigurationError, withFile } from '../errors/configuration-error.ts';
import { atExit } from '../files/at-exit.ts';
import { readTextFileIfPresent, writeFileAtomically } from '../files/files.ts';
import { type ReadyLine, readyLineText } from './ready-line.ts';

/** What each file that {@link writeReadyFile} wrote begins with. */
const MARK = '{"binnacle":';

/**
 * Removes the ready file of a former server, so that nobody takes it for this one's.
 * @throws ConfigurationError if the file is not one that a server wrote, or cannot be removed
 */
export function clearReadyFile(file: string): void {
  const present = withFile('stat', file, () => lstatSync(file, { throwIfNoEntry: false }));
  if (present === undefined) return;
  const text = present.isFile() ? readTextFileIfPresent(file) : undefined;
  if (!present.isFile() || (text !== undefined && text !== '' && !text.startsWith(MARK)))
    throw new ConfigurationError(
      `${file} exists and is not a ready file: choose another file with --ready-file, or remove it`,
    );
  withFile('write', file, () => rmSync(file, { force: true }));
}

/**
 * Writes the line atomically, readable by its owner only. The file goes at process exit at the latest.
 * @returns a function that removes the file unless another server has written it meanwhile
 * @throws ConfigurationError
 */
export function writeReadyFile(file: string, line: ReadyLine): () => void {
  const text = readyLineText(line);
  writeFileAtomically(file, text, 0o600, false);
  const remove = (): void => {
    try {
      if (readTextFileIfPresent(file) === text) rmSync(file, { force: true });
    } catch {
      // A file that cannot be read or removed must not prevent the stop.
    }
  };
  const cancel = atExit(remove);
  return () => {
    cancel();
    remove();
  };
}
