// Puts the program into a copy of Node.js.
import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { withNote } from './elf.mjs';
import { withAdHocSignature } from './mach-o.mjs';
import { withoutSignature } from './pe.mjs';

const READY_MILLISECONDS = 60_000;
/** The name of the program in the signature of macOS. */
const IDENTIFIER = 'binnacle';

/** Node.js looks for a program inside of itself where `:1` follows this text. */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';
/** By this name it finds the program: a note, a section in this segment, or a resource. */
const RESOURCE = 'NODE_SEA_BLOB';
const SEGMENT = 'NODE_SEA';

/**
 * Writes a single executable application.
 * @param platform for example `linux-x64`
 * @param writer Node.js of the same version for this machine
 * @param node Node.js of the platform
 * @param postject the module that changes files of Windows and macOS
 * @param assets files by name
 * @param scratch a folder for files that are not kept
 */
export async function assemble({ platform, writer, node, postject, loader, assets, output, scratch }) {
  const [main, configuration, blob] = ['load.cjs', 'sea.json', 'blob'].map((name) => join(scratch, name));
  writeFileSync(main, loader);
  writeFileSync(
    configuration,
    JSON.stringify({ main, output: blob, disableExperimentalSEAWarning: true, assets }),
  );
  execFileSync(writer, ['--experimental-sea-config', configuration], { stdio: ['ignore', 'ignore', 'pipe'] });
  const program = readFileSync(blob);
  rmSync(blob);
  const content = platform.startsWith('linux-')
    ? withFuse(withNote(readFileSync(node), RESOURCE, program))
    : await byPostject(postject, platform, node, program, scratch);
  writeFileSync(output, content, { mode: 0o755 });
}

/**
 * Sets the fuse of a file of Linux. For these files postject makes segments that share a page where pages are larger
 * than 4 kB.
 */
function withFuse(file) {
  const at = file.indexOf(FUSE);
  if (at < 0 || file.indexOf(FUSE, at + 1) >= 0) throw new Error('Node.js has no fuse, or several');
  file.write('1', at + FUSE.length + 1);
  return file;
}

/** A file of Windows or macOS with a program inside, in which what postject leaves wrong is put right. */
async function byPostject(postject, platform, node, program, scratch) {
  const file = join(scratch, 'executable');
  copyFileSync(node, file);
  chmodSync(file, 0o755);
  const { inject } = (await import(pathToFileURL(postject))).default;
  await inject(file, RESOURCE, program, { sentinelFuse: FUSE, machoSegmentName: SEGMENT });
  const content = readFileSync(file);
  rmSync(file);
  return platform.startsWith('win-') ? withoutSignature(content) : withAdHocSignature(content, IDENTIFIER);
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
