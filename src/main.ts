#!/usr/bin/env node
// Only syntax that old versions of Node.js parse, and no static imports but of what they have: an old version must
// reach the check below.
import { fileURLToPath } from 'node:url';

/** The oldest version that runs the rest, as `engines` of package.json says. */
const NEEDED = [20, 19] as const;

const [major, minor] = process.versions.node.split('.').map(Number) as [number, number];
if (major < NEEDED[0] || (major === NEEDED[0] && minor < NEEDED[1])) {
  fail(
    `Binnacle needs Node.js ${NEEDED.join('.')} or later, and this is ${process.versions.node} (${process.execPath}): run it with a newer version`,
  );
} else {
  import('./executable/compiled-command.ts')
    .then(
      ({ compiledCommand }) =>
        compiledCommand(fileURLToPath(new URL('compiled', import.meta.url))) ?? import('./cli/process.ts'),
    )
    .then(
      ({ runProcess, startByNode }) => runProcess(startByNode()),
      (error) => fail(`Binnacle cannot load: ${firstLine(error)}: install it again, with its dependencies`),
    )
    .catch((error) => fail(firstLine(error)));
}

function firstLine(error: unknown): string {
  return String(error instanceof Error ? error.message : error).split('\n')[0] as string;
}

function fail(message: string): void {
  process.stderr.write(`Error: ${message}\n`);
  process.exitCode = 1;
}
