import { chmodSync, renameSync, rmSync } from 'node:fs';
import { DataDirectoryError } from '../../errors/data-directory-error.ts';
import { fromKey } from '../storage.ts';
import { dataFileOf, findDataDirectory, prepareTarget, syncPath, writeMarker } from './data-directory.ts';
import { type Environment, openEnvironment } from './environment.ts';
import { damagedKeys } from './verify.ts';

/**
 * Copies a data file while it is in use. The copy is complete when it has its name and the marker beside it;
 * what an interrupted copy leaves is refused as a data directory.
 * @throws DataDirectoryError; also, once the copy is complete, when values in it are damaged: the message
 * names them
 */
export async function copyTo(environment: Environment, directory: string): Promise<void> {
  const target = prepareTarget(directory);
  const partial = `${dataFileOf(target)}.partial`;
  let damaged: string[];
  try {
    await copyFile(environment, partial);
    chmodSync(partial, 0o600);
    syncPath(partial);
    damaged = await damagedIn(partial);
  } catch (error) {
    throw new DataDirectoryError(
      `${partial} could not be written (${(error as Error).message}): make room or choose another directory`,
    );
  }
  renameSync(partial, dataFileOf(target));
  writeMarker(target);
  syncPath(target);
  if (damaged.length === 0) return;
  const named = damaged
    .slice(0, mostNamed)
    .map((key) => JSON.stringify(fromKey(key)))
    .join(', ');
  throw new DataDirectoryError(
    `${target} is a complete copy, but ${damaged.length} of its values are not those that were written (${named}${damaged.length > mostNamed ? ' …' : ''}): restore these objects from an earlier backup, or delete them`,
  );
}

const mostNamed = 10;

async function damagedIn(path: string): Promise<string[]> {
  const copy = await openEnvironment(path, { readOnly: true });
  try {
    return await damagedKeys(copy);
  } finally {
    await copy.close();
    rmSync(`${path}-lock`, { force: true });
  }
}

/** Without free pages, unless lmdb refuses that: then all pages are copied. */
async function copyFile(environment: Environment, path: string): Promise<void> {
  try {
    await environment.backup(path, true);
  } catch (error) {
    rmSync(path, { force: true });
    if (!isLmdbError(error)) throw error;
    await environment.backup(path, false);
  }
}

/** lmdb's own codes are negative; the system's are not. */
const isLmdbError = (error: unknown): boolean =>
  Number((error as { code?: unknown }).code) < 0 || /^MDB_/.test((error as Error).message);

/**
 * Copies the data directory `source` to `target`, which is created. A server may be running on `source`, in
 * another process.
 * @throws DataDirectoryError
 */
export async function backupDirectory(source: string, target: string): Promise<void> {
  const environment = await openEnvironment(dataFileOf(findDataDirectory(source)), { readOnly: true });
  try {
    await copyTo(environment, target);
  } finally {
    await environment.close();
  }
}
