import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The built `main.js`. */
export const MAIN = fileURLToPath(new URL('../../../dist/main.js', import.meta.url));

/** An executable that the tests run in place of Node.js with {@link MAIN}, or undefined. */
export const EXECUTABLE =
  process.env['BINNACLE_EXECUTABLE'] === undefined ? undefined : resolve(process.env['BINNACLE_EXECUTABLE']);

/** The program that users run: a file, and the words that come before theirs. */
export const COMMAND: readonly [file: string, ...words: string[]] =
  EXECUTABLE === undefined ? [process.execPath, MAIN] : [EXECUTABLE];

/** @throws Error when there is no program */
export function requireCommand(): void {
  if (EXECUTABLE !== undefined && !existsSync(EXECUTABLE))
    throw new Error(`BINNACLE_EXECUTABLE names no file: ${EXECUTABLE}`);
  if (!existsSync(MAIN)) throw new Error('the server is not built: npm run build');
}
