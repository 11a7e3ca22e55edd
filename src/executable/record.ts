// What the build runs to compile the command: it serves, and at SIGUSR2 it writes the compiled code of all that ran so
// far. Arguments: the folder of the bundle, and those of the command.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { codeName } from './compiled-command.ts';
import { evaluateBundle } from './compiled-script.ts';

const [node, , folder, ...words] = process.argv as [string, string, string, ...string[]];
const file = join(folder, 'command.cjs');
const { script, exports } = evaluateBundle<typeof import('./command.ts')>(readFileSync(file, 'latin1'), {
  name: file,
  require: createRequire(file),
  file,
});
process.on('SIGUSR2', () => {
  writeFileSync(join(folder, codeName()), script.createCachedData());
  process.exit(0);
});
void exports.runProcess({ program: { node, main: file }, file: undefined, words });
