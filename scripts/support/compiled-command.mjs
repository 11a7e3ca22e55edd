// The command as one bundle with compiled code, which `dist/main.js` loads in a fraction of the time of its modules.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { BUNDLE_URL, COMMON, lmdbLibrary } from '../executables/bundle.mjs';
import { sendFirstRequests } from './first-requests.mjs';

const READY_MILLISECONDS = 60_000;
const TOKEN = 'recorder';

/**
 * Writes the bundle and its compiled code into a folder.
 * @param define constants of the build
 */
export async function writeCompiledCommand(folder, define) {
  const common = { ...COMMON, target: 'node20', write: true };
  await build({
    ...common,
    entryPoints: ['src/executable/command.ts'],
    outfile: join(folder, 'command.cjs'),
    define: { ...define, ...BUNDLE_URL.define },
    banner: BUNDLE_URL.banner,
    plugins: [lmdbLibrary('src/executable/installed-addon.ts')],
  });
  const scratch = mkdtempSync(join(tmpdir(), 'binnacle-code-'));
  try {
    const recorder = join(scratch, 'record.cjs');
    await build({ ...common, entryPoints: ['src/executable/record.ts'], outfile: recorder });
    await record(recorder, folder, scratch);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Runs the recorder until the server has answered what clients ask for first, and has it write the code. */
async function record(recorder, folder, scratch) {
  const tokens = join(scratch, 'tokens.csv');
  writeFileSync(tokens, `${TOKEN},recorder,1,system:masters\n`);
  const words = [
    `--data-dir=${join(scratch, 'data')}`,
    '--secure-port=0',
    `--token-auth-file=${tokens}`,
    // A ServiceAccount's objects are made by controllers, some time after ready.
    '--disable-admission-plugins=ServiceAccount',
  ];
  const child = spawn(process.execPath, [recorder, resolve(folder), ...words], {
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: READY_MILLISECONDS,
  });
  let output = '';
  try {
    await new Promise((resolve, reject) => {
      const read = (chunk) => {
        output += chunk;
        const ready = / is ready at (\S+)/.exec(output);
        if (ready === null) return;
        child.stdout.off('data', read);
        sendFirstRequests(ready[1], TOKEN).then(() => child.kill('SIGUSR2'), reject);
      };
      child.stdout.on('data', read);
      child.stderr.on('data', (chunk) => {
        output += chunk;
      });
      child.on('close', (code) =>
        code === 0 ? resolve() : reject(new Error(`the recorded server ended with ${code}:\n${output}`)),
      );
    });
  } finally {
    child.kill('SIGKILL');
  }
}
