import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DataDirectoryError } from '../../errors/data-directory-error.ts';
import { entriesIn } from '../../files/directory-entries.ts';
import { makeDirectories } from '../../files/make-directory.ts';
import { inspectDataFile } from './data-file.ts';
import { FORMATS, type Formats, formatOfMarker, markerText } from './format.ts';

/** Name of the file that marks a data directory and names its data format. */
const markerName = 'binnacle-storage';
/** Name of the marker until the data file has been created. */
const newMarkerName = `${markerName}.new`;
const dataFileName = 'data.mdb';
/** Files that may exist next to the marker while a directory is being created. */
const dataFileNames: readonly string[] = [dataFileName, `${dataFileName}-lock`];

export const restoreAdvice = 'restore a backup, or move it away to start empty';

/** Path of the data file of `directory`. */
export const dataFileOf = (directory: string): string => join(directory, dataFileName);

/** Device and inode of the data file. */
export function fileIdentity(path: string): string {
  const { dev, ino } = statSync(path, { bigint: true });
  return `${dev}:${ino}`;
}

/** A directory with a marker. */
export interface MarkedDirectory {
  /** Its real path. */
  readonly path: string;
  /** Data format that the marker names. */
  readonly format: number;
}

/**
 * Initializes `directory` as a data directory, or checks that it is one and that lmdb can open its data file.
 * @throws DataDirectoryError
 */
export function prepareDataDirectory(directory: string, formats: Formats): MarkedDirectory {
  attempt(directory, 'cannot be created', 'choose another directory or correct its permissions', () =>
    makeDirectories(directory),
  );
  const path = realpathSync(directory);
  const file = dataFileOf(path);
  const format = checkMarker(path, formats);
  if (format !== undefined) {
    if (!existsSync(file))
      throw new DataDirectoryError(
        `${file} is missing, although ${path} is a data directory: restore a backup, or remove ${join(path, markerName)} to start empty`,
      );
  } else writeMarker(path, formats.newest, newMarkerName);
  // An empty file remains when the process is stopped while it creates the file.
  const isIncomplete =
    existsSync(join(path, newMarkerName)) && (!existsSync(file) || statSync(file).size === 0);
  if (!isIncomplete) checkDataFile(file, constants.R_OK | constants.W_OK);
  return { path, format: format ?? formats.newest };
}

/** Writes the marker of a directory that this process owns: a new one, or one of an older version. */
export function completeMarker(directory: string, format: number): void {
  const marker = join(directory, markerName);
  if (!existsSync(marker) || readFileSync(marker, 'utf8') !== markerText(format))
    writeMarker(directory, format);
  rmSync(join(directory, newMarkerName), { force: true });
}

/**
 * Finds `directory`, an existing data directory.
 * @throws DataDirectoryError
 */
export function findDataDirectory(directory: string): MarkedDirectory {
  const path = attempt(directory, 'cannot be read', 'name the data directory of a server', () =>
    realpathSync(directory),
  );
  const format = checkMarker(path, FORMATS);
  if (format === undefined || !existsSync(dataFileOf(path)))
    throw new DataDirectoryError(`${path} is not a data directory: name the data directory of a server`);
  checkDataFile(dataFileOf(path), constants.R_OK);
  return { path, format };
}

/** Creates the empty target directory of a copy. @throws DataDirectoryError when it is not empty */
export function prepareTarget(directory: string): string {
  attempt(directory, 'cannot be created', 'choose another directory or correct its permissions', () =>
    makeDirectories(directory),
  );
  const entries = attempt(directory, 'cannot be read', 'choose another directory', () =>
    entriesIn(directory),
  );
  if (entries.length > 0)
    throw new DataDirectoryError(
      `${directory} is not empty (${entries[0]}): name a new or empty directory for the copy`,
    );
  return realpathSync(directory);
}

/** Writes the marker atomically. */
export function writeMarker(directory: string, format: number, name = markerName): void {
  attempt(directory, 'cannot be written to', 'correct its permissions or choose another directory', () => {
    const temporary = join(directory, `${markerName}.${process.pid}`);
    writeFileSync(temporary, markerText(format), { mode: 0o600, flush: true });
    renameSync(temporary, join(directory, name));
  });
}

/** Syncs a file or directory to disk. Systems that cannot sync directories persist them on their own. */
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

/** The format that the marker names; undefined for a directory without one, which must be empty. */
function checkMarker(directory: string, formats: Formats): number | undefined {
  const advice = 'correct its permissions or choose another directory';
  const entries = attempt(directory, 'cannot be read', advice, () => entriesIn(directory));
  attempt(directory, 'cannot be written to', advice, () =>
    accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK),
  );
  if (!entries.includes(markerName)) {
    // Remains of an interrupted creation are not foreign files.
    const expected = entries.includes(newMarkerName) ? dataFileNames : [];
    const foreign = entries.find((name) => !name.startsWith(`${markerName}.`) && !expected.includes(name));
    if (foreign === undefined) {
      if (entries.includes(newMarkerName)) readMarker(directory, newMarkerName, formats);
      return undefined;
    }
    throw new DataDirectoryError(
      `${directory} contains other files (${foreign}) and is not a data directory: choose an empty one or move them away`,
    );
  }
  return readMarker(directory, markerName, formats);
}

function readMarker(directory: string, name: string, formats: Formats): number {
  const marker = join(directory, name);
  const text = attempt(marker, 'cannot be read', 'correct its permissions', () =>
    readFileSync(marker, 'utf8'),
  );
  return formatOfMarker(directory, marker, text, formats);
}

/**
 * Checks that lmdb can open `file` safely.
 * @param deep checks every page, for a file that was not closed cleanly
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
