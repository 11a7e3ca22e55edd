import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a directory that only its owner can enter, with those above it. (Node's own recursive form never
 * returns where a directory is there and yet can hold no other, as `/proc`.)
 * @throws the system's error
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
