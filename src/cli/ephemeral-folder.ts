import { createHash } from 'node:crypto';
import { lstatSync, readlinkSync, rmSync } from 'node:fs';
import { opendir } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigurationError } from '../errors/configuration-error.ts';
import { TemporaryDirectory } from '../files/temporary-directory.ts';
import type { EphemeralFolder } from './environment.ts';

const PREFIX = 'binnacle-ephemeral-';
/** `PREFIX`, the hash of the process numbers' space, the process, six random characters of mkdtemp. */
const NAME = /^binnacle-ephemeral-([0-9a-f]{8})-(\d{1,10})-\w{6}$/;
/** Entries of the temporary folder that are looked at, so that a full one costs little. */
const MOST_ENTRIES = 20_000;
/** Folders that one start removes. */
const MOST_REMOVED = 100;

/** The beginning of the name of this process's folder. */
export const ownPrefix = (): string => `${PREFIX}${processSpace()}-${process.pid}-`;

/** A folder below the system's temporary folder that goes with this process. */
export function createEphemeralFolder(): EphemeralFolder {
  const folder = new TemporaryDirectory(ownPrefix());
  return {
    get path() {
      return folder.directory;
    },
    file(name) {
      try {
        return folder.path(name);
      } catch (error) {
        throw new ConfigurationError(
          `cannot create a folder in ${tmpdir()}: ${(error as Error).message}: set TMPDIR to another folder, or use --kubeconfig-out=- for the standard output`,
        );
      }
    },
    removeAbandoned: () => removeAbandoned(tmpdir()),
  };
}

/**
 * Removes folders whose process was killed, which could not remove its own: those of this user, of processes that are
 * numbered as this one is. Errors are ignored: another server may remove them at the same time.
 */
export async function removeAbandoned(temporary: string): Promise<void> {
  const space = processSpace();
  let entries = 0;
  let removed = 0;
  try {
    for await (const { name } of await opendir(temporary)) {
      if (++entries > MOST_ENTRIES || removed >= MOST_REMOVED) return;
      const [, itsSpace, pid] = NAME.exec(name) ?? [];
      if (itsSpace !== space || isRunning(Number(pid)) || !isOwnDirectory(join(temporary, name))) continue;
      rmSync(join(temporary, name), { recursive: true, force: true });
      removed += 1;
    }
  } catch {
    // See above.
  }
}

/** The machine or container in which a process number stands for one process: 8 hexadecimal digits. */
function processSpace(): string {
  let namespace = '';
  try {
    namespace = readlinkSync('/proc/self/ns/pid');
  } catch {
    // Only Linux has namespaces of processes.
  }
  return createHash('sha256').update(`${hostname()}\n${namespace}`).digest('hex').slice(0, 8);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

function isOwnDirectory(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found?.isDirectory() === true && found.uid === (process.getuid?.() ?? found.uid);
}
