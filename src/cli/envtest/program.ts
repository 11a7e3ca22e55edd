import { chmodSync, constants, copyFileSync, linkSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { ConfigurationError } from '../../errors/configuration-error.ts';
import { PRODUCT_VERSION } from '../../options/version.ts';

/** What starts this Binnacle again. */
export type Program =
  /** The executable without Node.js. */
  | { readonly executable: string }
  /** Paths of Node.js and of `main.js`. */
  | { readonly node: string; readonly main: string };

/** Longest first line of a script that Linux reads, with `#!` and without its end. */
const MAXIMUM_SHEBANG = 254;

/**
 * Writes a regular file that starts `program`, which gets the path of the file and does what its name says.
 * @param file must not exist
 * @throws ConfigurationError where Node.js can not be started so; the system error
 */
export function writeProgram(program: Program, file: string): void {
  if ('executable' in program) {
    copyProgram(program.executable, file);
    return;
  }
  if (process.platform === 'win32')
    throw new ConfigurationError(
      'on Windows the programs of envtest are copies of the executable: run binnacle-VERSION-win-x64.exe envtest, or install @binnacle/executable',
    );
  writeFileSync(file, shebang(program.node, program.main));
  chmodSync(file, 0o755);
}

/**
 * The executable of this version that npm has installed beside Binnacle (`@binnacle/executable`), or `program` itself.
 * @param platform and @param architecture name its package, for example `@binnacle/linux-x64`
 */
export function withInstalledExecutable(
  program: Program,
  platform: NodeJS.Platform,
  architecture: NodeJS.Architecture,
): Program {
  if ('executable' in program) return program;
  try {
    const { resolve } = createRequire(program.main);
    const manifest = resolve(`@binnacle/${platform}-${architecture}/package.json`);
    const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version?: unknown };
    if (version !== PRODUCT_VERSION) return program;
    return { executable: join(dirname(manifest), 'bin', platform === 'win32' ? 'binnacle.exe' : 'binnacle') };
  } catch {
    // It is not installed.
    return program;
  }
}

/** Copies a file, sharing its blocks where the file system can. */
export function copyProgram(from: string, to: string): void {
  copyFileSync(from, to, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
  chmodSync(to, 0o755);
}

/** Gives a program that was written another name in the same directory tree: a second regular file. */
export function repeatProgram(written: string, file: string): void {
  try {
    linkSync(written, file);
  } catch {
    // Some file systems have no hard links.
    copyProgram(written, file);
  }
}

/**
 * A script that the system itself starts with Node.js: no shell has to be there.
 * @throws ConfigurationError when the paths are too long for it
 */
function shebang(node: string, main: string): string {
  // The system takes one argument, without quotes; env splits quoted ones.
  const plain = `#!${node} ${main}`;
  const quoted = `#!/usr/bin/env -S ${JSON.stringify(node)} ${JSON.stringify(main)}`;
  const line = /\s/.test(node + main) ? quoted : plain;
  if (Buffer.byteLength(line) > MAXIMUM_SHEBANG)
    throw new ConfigurationError(
      `the paths ${node} and ${main} are too long for the first line of a script: install Binnacle at a shorter path, or use its executable`,
    );
  return `${line}\n`;
}
