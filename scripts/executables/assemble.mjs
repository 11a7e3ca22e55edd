// Puts the program into a copy of Node.js.
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const READY_MILLISECONDS = 60_000;

/**
 * Writes a single executable application.
 * @param hostNode the same release of Node.js for this machine, which writes it
 * @param node Node.js of the platform
 * @param assets files by name
 */
export function assemble({ hostNode, node, loader, assets, output, scratch }) {
  const main = join(scratch, 'load.cjs');
  const configuration = join(scratch, 'sea.json');
  writeFileSync(main, loader);
  writeFileSync(
    configuration,
    JSON.stringify({
      main,
      mainFormat: 'commonjs',
      executable: node,
      output: resolve(output),
      disableExperimentalSEAWarning: true,
      assets,
    }),
  );
  execFileSync(hostNode, ['--build-sea', configuration], { stdio: ['ignore', 'ignore', 'inherit'] });
}

/**
 * Runs an executable that records its code until it serves, and returns when `file` has the compiled code of all that
 * ran. V8 takes it only in the same release for the same processors.
 */
export async function recordCode(executable, file) {
  const directory = mkdtempSync(join(tmpdir(), 'binnacle-code-'));
  mkdirSync(join(directory, 'home'));
  const child = spawn(executable, [`--data-dir=${join(directory, 'data')}`, '--secure-port=0'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, HOME: join(directory, 'home'), CODE_CACHE_FILE: file },
    timeout: READY_MILLISECONDS,
  });
  try {
    await new Promise((resolve, reject) => {
      let output = '';
      const read = (chunk) => {
        output += chunk;
        if (output.includes(' is ready at ')) child.kill('SIGUSR2');
      };
      child.stdout.on('data', read);
      child.stderr.on('data', read);
      child.on('close', (code) =>
        code === 0 ? resolve() : reject(new Error(`the recording executable ended:\n${output}`)),
      );
    });
  } finally {
    child.kill('SIGKILL');
    rmSync(directory, { recursive: true, force: true });
  }
}
