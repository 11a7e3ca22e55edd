import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { ConfigurationError, withFile } from '../errors/configuration-error.ts';
import { makeDirectories } from './make-directory.ts';

/** Limit on the size of a configuration file. */
const LARGEST_FILE = 16 << 20;

/**
 * Reads a text file that a flag names.
 * @throws ConfigurationError `open <file>: no such file or directory`
 */
export function readTextFile(file: string): string {
  const content = withFile('open', file, () => readFileSync(file));
  if (content.length > LARGEST_FILE)
    throw new ConfigurationError(`read ${file}: the file is larger than ${LARGEST_FILE >> 20} MiB`);
  return content.toString('utf8');
}

/** Reads a text file; undefined if it does not exist. */
export function readTextFileIfPresent(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    return withFile('open', file, () => {
      throw error;
    });
  }
}

/**
 * Replaces a file atomically: readers and a crash see either the old or the new content. Creates the
 * directory if needed. `mode` applies from the creation of the file.
 * @param durable false for files that are recreated when corrupt: a power failure may leave an empty file
 * @throws ConfigurationError
 */
export function writeFileAtomically(file: string, content: string, mode: number, durable = true): void {
  makeDirectory(dirname(file));
  const temporary = `${file}.${randomBytes(6).toString('hex')}.tmp`;
  withFile('write', file, () => {
    const descriptor = openSync(temporary, 'wx', mode);
    try {
      try {
        // Not writeSync, which writes a part on a disk that is nearly full.
        writeFileSync(descriptor, content);
        if (durable) fsyncSync(descriptor);
      } finally {
        closeSync(descriptor);
      }
      renameSync(temporary, file);
    } catch (error) {
      rmSync(temporary, { force: true });
      throw error;
    }
  });
}

/** Creates a directory and its parents, accessible to the owner only. */
export function makeDirectory(directory: string): void {
  withFile('mkdir', directory, () => makeDirectories(directory));
}
