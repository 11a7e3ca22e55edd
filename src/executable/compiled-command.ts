import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { evaluateBundle } from './compiled-script.ts';

type Command = Pick<typeof import('../cli/process.ts'), 'runProcess' | 'startByNode'>;

/** Name of the file with the code of the bundle for this V8, which takes no other's. */
export const codeName = (): string =>
  `command-${process.versions.v8}-${process.platform}-${process.arch}.code`;

/**
 * Loads the command from the bundle that the build compiled for this V8. Returns undefined where there is none: the
 * modules that the bundle was made of are there, too.
 * @param folder with the bundle and its compiled code
 */
export function compiledCommand(folder: string): Command | undefined {
  const code = join(folder, codeName());
  if (!existsSync(code)) return undefined;
  const file = join(folder, 'command.cjs');
  const { exports } = evaluateBundle<Command>(readFileSync(file, 'latin1'), {
    name: file,
    require: createRequire(file),
    file,
    compiled: readFileSync(code),
  });
  return exports;
}
