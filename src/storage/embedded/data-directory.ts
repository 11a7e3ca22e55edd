import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DataDirectoryError } from '../../errors/data-directory-error.ts';
import { makeDirectories } from '../../files/make-directory.ts';
import { inspectDataFile } from './data-file.ts';

/** Marks a directory as a data directory and says which form its data has. */
const markerName = 'binnacle-storage';
const markerText = 'Binnacle embedded storage, format 2\n';
/**
 * Records without checksums. They are read as they are; records written from now on are not understood by
 * versions that wrote this.
 */
const olderMarkerText = 'Binnacle embedded storage, format 1\n';
/** Stands in for the marker until the data file has been created. */
const newMarkerName = `${markerName}.new`;
const dataFileName = 'data.mdb';
/** What a directory may hold besides its marker while it is being created. */
const dataFileNames: readonly string[] = [dataFileName, `${dataFileName}-lock`];

export const restoreAdvice = 'restore a backup, or move it away to start empty';

/** Where the data of `directory` lies. */
export const dataFileOf = (directory: string): string => join(directory, dataFileName);

/** Device and inode of the data file. */
export function fileIdentity(path: string): string {
  const { dev, ino } = statSync(path, { bigint: true });
  return `${dev}:${ino}`;
}

/**
 * Makes `directory` a data directory or makes sure that it is one, and that its data file can be given to
 * lmdb.
 * @returns its real path
 * @throws DataDirectoryError
 */
export function prepareDataDirectory(directory: string): string {
  attempt(directory, 'cannot be created', 'choose another directory or correct its permissions', () =>
    makeDirectories(directory),
  );
  const path = realpathSync(directory);
  const file = dataFileOf(path);
  if (checkMarker(path)) {
    if (!existsSync(file))
      throw new DataDirectoryError(
        `${file} is missing, although ${path} is a data directory: restore a backup, or remove ${join(path, markerName)} to start empty`,
      );
  } else writeMarker(path, newMarkerName);
  // A file of no bytes is one that was being created when the process was stopped.
  const begun = existsSync(join(path, newMarkerName)) && (!existsSync(file) || statSync(file).size === 0);
  if (!begun) checkDataFile(file, constants.R_OK | constants.W_OK);
  return path;
}

/**
 * Completes the marker of a directory that this process owns: of a new one, or of one that an older version
 * has written.
 */
export function completeMarker(directory: string): void {
  const marker = join(directory, markerName);
  if (!existsSync(marker) || readFileSync(marker, 'utf8') !== markerText) writeMarker(directory);
  rmSync(join(directory, newMarkerName), { force: true });
}

/**
 * The real path of `directory`, an existing data directory that is to be read only.
 * @throws DataDirectoryError
 */
export function findDataDirectory(directory: string): string {
  const path = attempt(directory, 'cannot be read', 'name the data directory of a server', () =>
    realpathSync(directory),
  );
  if (!checkMarker(path) || !existsSync(dataFileOf(path)))
    throw new DataDirectoryError(`${path} is not a data directory: name the data directory of a server`);
  checkDataFile(dataFileOf(path), constants.R_OK);
  return path;
}

/** Creates the empty directory that a copy goes to. @throws DataDirectoryError when something is in it */
export function prepareTarget(directory: string): string {
  attempt(directory, 'cannot be created', 'choose another directory or correct its permissions', () =>
    makeDirectories(directory),
  );
  const entries = attempt(directory, 'cannot be read', 'choose another directory', () =>
    readdirSync(directory),
  );
  if (entries.length > 0)
    throw new DataDirectoryError(`${directory} is not empty: name a new or empty directory for the backup`);
  return realpathSync(directory);
}

/** Writes the marker; it appears whole or not at all. */
export function writeMarker(directory: string, name = markerName): void {
  attempt(directory, 'cannot be written to', 'correct its permissions or choose another directory', () => {
    const temporary = join(directory, `${markerName}.${process.pid}`);
    writeFileSync(temporary, markerText, { mode: 0o600, flush: true });
    renameSync(temporary, join(directory, name));
  });
}

/**
 * Makes what was written to the file or directory durable. Systems that cannot do that for directories do it
 * by themselves.
 */
export function syncPath(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } catch (error) {
    if (!statSync(path).isDirectory()) throw error;
  } finally {
    closeSync(descriptor);
  }
}

/** Whether the directory is marked; an unmarked one must be empty. */
function checkMarker(directory: string): boolean {
  const advice = 'correct its permissions or choose another directory';
  const entries = attempt(directory, 'cannot be read', advice, () => readdirSync(directory));
  attempt(directory, 'cannot be written to', advice, () =>
    accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK),
  );
  if (!entries.includes(markerName)) {
    // What a process was creating when it was stopped doesn't make the directory a foreign one.
    const own = entries.includes(newMarkerName) ? dataFileNames : [];
    const foreign = entries.find((name) => !name.startsWith(`${markerName}.`) && !own.includes(name));
    if (foreign === undefined) return false;
    throw new DataDirectoryError(
      `${directory} holds other files (${foreign}) and is not a data directory: choose an empty one or move them away`,
    );
  }
  const marker = join(directory, markerName);
  const text = attempt(marker, 'cannot be read', 'correct its permissions', () =>
    readFileSync(marker, 'utf8'),
  );
  if (text !== markerText && text !== olderMarkerText)
    throw new DataDirectoryError(
      `${marker} names a data format that this version does not know: use the version that wrote it, or ${restoreAdvice}`,
    );
  return true;
}

/**
 * Makes sure that `file` can be given to lmdb.
 * @param deep looks at all of it; for a file that was not closed in order
 * @throws DataDirectoryError
 */
export function checkDataFile(file: string, mode: number, deep = false): void {
  const problem = attempt(file, 'cannot be read and written', 'correct its permissions', () => {
    accessSync(file, mode);
    return inspectDataFile(file, deep);
  });
  if (problem) throw new DataDirectoryError(`${file} is damaged: it ${problem}; ${restoreAdvice}`);
}

function attempt<T>(path: string, problem: string, advice: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw new DataDirectoryError(
      `${path} ${problem} (${(error as NodeJS.ErrnoException).code ?? (error as Error).message}): ${advice}`,
    );
  }
}
