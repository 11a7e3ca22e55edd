import { chmodSync, renameSync, rmSync } from 'node:fs';
import { DataDirectoryError } from '../../errors/data-directory-error.ts';
import { fromKey } from '../storage.ts';
import { dataFileOf, prepareTarget, syncPath, writeMarker } from './data-directory.ts';
import { type Environment, openEnvironment } from './environment.ts';
import { openExisting } from './existing.ts';
import { corruptKeys } from './verify.ts';

/**
 * Copies a data file while it is in use. The copy is complete when it has its final name and a marker file;
 * an interrupted copy is not accepted as a data directory.
 * @param format of the records, which the marker of the copy names
 * @throws DataDirectoryError when the copy fails, or when it is complete but contains corrupt values (the
 * message names their keys)
 */
export async function copyTo(environment: Environment, directory: string, format: number): Promise<void> {
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
  writeMarker(target, format);
  syncPath(target);
  if (damaged.length === 0) return;
  const keys = damaged
    .slice(0, mostNamed)
    .map((key) => JSON.stringify(fromKey(key)))
    .join(', ');
  throw new DataDirectoryError(
    `${target} is a complete copy, but ${damaged.length} of its values are corrupt (${keys}${damaged.length > mostNamed ? ' …' : ''}): restore these objects from an earlier backup, or delete them`,
  );
}

const mostNamed = 10;

async function damagedIn(path: string): Promise<string[]> {
  const copy = await openEnvironment(path, { readOnly: true });
  try {
    return await corruptKeys(copy);
  } finally {
    await copy.close();
    rmSync(`${path}-lock`, { force: true });
  }
}

/** Copies without free pages; falls back to copying all pages when lmdb refuses to compact. */
async function copyFile(environment: Environment, path: string): Promise<void> {
  try {
    await environment.backup(path, true);
  } catch (error) {
    rmSync(path, { force: true });
    if (!isLmdbError(error)) throw error;
    await environment.backup(path, false);
  }
}

/** Codes of lmdb are negative, codes of the system are not. */
const isLmdbError = (error: unknown): boolean =>
  Number((error as { code?: unknown }).code) < 0 || /^MDB_/.test((error as Error).message);

/**
 * Copies the data directory `source` to `target`, which is created, in the format that it has. A server may be
 * running on `source`, in another process.
 * @throws DataDirectoryError
 */
export async function backupDirectory(source: string, target: string): Promise<void> {
  const { environment, format } = await openExisting(source, { readOnly: true });
  try {
    await copyTo(environment, target, format);
  } finally {
    await environment.close();
  }
}
