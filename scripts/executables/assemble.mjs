// Puts the program into a copy of Node.js.
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withNote } from './elf.mjs';
import { withAdHocSignature } from './mach-o.mjs';
import { withoutSignature } from './pe.mjs';

const READY_MILLISECONDS = 60_000;
/** The name of the program in the signature of macOS. */
const IDENTIFIER = 'binnacle';

/** Node.js looks for a program inside of itself where this text ends with 1. */
const FUSE = Buffer.from('NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2:');
const NOTE = 'NODE_SEA_BLOB';

/**
 * Writes a single executable application.
 * @param platform for example `linux-x64`
 * @param hostNode the same release of Node.js for this machine
 * @param node Node.js of the platform
 * @param assets files by name
 * @param scratch a folder for files that are not kept
 */
export function assemble({ platform, hostNode, node, loader, assets, output, scratch }) {
  const main = join(scratch, 'load.cjs');
  writeFileSync(main, loader);
  const common = { main, mainFormat: 'commonjs', disableExperimentalSEAWarning: true, assets };
  const run = (flag, options) => {
    const file = join(scratch, 'sea.json');
    writeFileSync(file, JSON.stringify({ ...common, ...options }));
    execFileSync(hostNode, [flag, file], { stdio: ['ignore', 'ignore', 'inherit'] });
  };
  const written = join(scratch, 'written');
  // What Node.js writes itself for Linux has segments that share a page where pages are larger than 4 kB.
  const onLinux = platform.startsWith('linux-');
  if (onLinux) run('--experimental-sea-config', { output: written });
  else run('--build-sea', { executable: node, output: written });
  const content = readFileSync(written);
  rmSync(written);
  writeFileSync(output, onLinux ? withProgram(node, content) : finish(platform, content), { mode: 0o755 });
}

/** Node.js for Linux with a program inside. */
function withProgram(node, blob) {
  const result = withNote(readFileSync(node), NOTE, blob);
  const fuse = result.indexOf(FUSE);
  if (fuse < 0 || result.indexOf(FUSE, fuse + 1) >= 0) throw new Error(`${node} has no fuse, or several`);
  result.write('1', fuse + FUSE.length);
  return result;
}

/** Puts right what a program inside has made wrong. */
const finish = (platform, content) =>
  platform.startsWith('win-') ? withoutSignature(content) : withAdHocSignature(content, IDENTIFIER);

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
