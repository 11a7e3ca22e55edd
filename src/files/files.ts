import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { ConfigurationError, withFile } from '../errors/configuration-error.ts';
import { makeDirectories } from './make-directory.ts';

/** Bytes above which a configuration file is taken for a mistake. */
const LARGEST_FILE = 16 << 20;

/**
 * The text of a file named by a flag.
 * @throws ConfigurationError `open <file>: no such file or directory`
 */
export function readTextFile(file: string): string {
  const content = withFile('open', file, () => readFileSync(file));
  if (content.length > LARGEST_FILE)
    throw new ConfigurationError(`read ${file}: the file is larger than ${LARGEST_FILE >> 20} MiB`);
  return content.toString('utf8');
}

/** The text of a file, or undefined when there is none. */
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
 * Replaces a file in one step: readers see the old content or the new one, never a part, and a crash leaves
 * one of them. The directory is made when absent. `mode` applies from the moment the file exists.
 * @param durable false for what is made again when it is damaged: a power failure may then leave an empty
 * file
 * @throws ConfigurationError
 */
export function writeFileAtomically(file: string, content: string, mode: number, durable = true): void {
  makeDirectory(dirname(file));
  const temporary = `${file}.${randomBytes(6).toString('hex')}.tmp`;
  withFile('write', file, () => {
    const descriptor = openSync(temporary, 'wx', mode);
    try {
      try {
        writeSync(descriptor, content);
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

/** Makes a directory that only its owner can enter, with those above it. */
export function makeDirectory(directory: string): void {
  withFile('mkdir', directory, () => makeDirectories(directory));
}
