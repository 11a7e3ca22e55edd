import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates a directory and its parents, accessible to the owner only. (Node's recursive form never returns for
 * a parent that cannot contain directories, such as `/proc`.)
 * @throws the system error
 */
export function makeDirectories(directory: string): void {
  try {
    mkdirSync(directory, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const parent = dirname(directory);
    if (code === 'EEXIST' && statSync(directory).isDirectory()) return;
    if (code !== 'ENOENT' || parent === directory || existsSync(parent)) throw error;
    makeDirectories(parent);
    mkdirSync(directory, { mode: 0o700 });
  }
}
