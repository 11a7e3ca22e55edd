import { readdirSync } from 'node:fs';

/** What an empty directory may contain: of a new file system, or of a repository that keeps the directory. */
const OF_EMPTY_DIRECTORIES: readonly string[] = ['lost+found', '.gitkeep'];

/**
 * The entries of a directory other than those that an empty one may have.
 * @throws the system error
 */
export const entriesIn = (directory: string): string[] =>
  readdirSync(directory).filter((name) => !OF_EMPTY_DIRECTORIES.includes(name));
