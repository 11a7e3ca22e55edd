// The entry of the executable, which Node.js has loaded from inside of itself.
import { basename, dirname, join } from 'node:path';
import { hasRole } from '../cli/envtest/roles.ts';
import { runProcess } from '../cli/process.ts';

const executable = process.execPath;
/** A symbolic link to the executable may have the name of a role, too. */
const called = join(dirname(executable), basename(process.argv0));

runProcess({
  program: { executable },
  file: hasRole(called) ? called : executable,
  words: process.argv.slice(2),
}).catch((error: unknown) => {
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`Error: ${message.split('\n')[0]}\n`);
  process.exitCode = 1;
});
