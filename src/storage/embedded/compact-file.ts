import { chmodSync, existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { syncPath } from './data-directory.ts';
import { inspectDataFile, lastTransactionOf } from './data-file.ts';
import type { Environment, OpenEnvironment } from './environment.ts';
import { anyFile, type Owner } from './owner.ts';
import { freeBytesOf } from './space-guard.ts';

/** Completed steps of a compaction; tests kill the process after each. */
export type CompactionStep = 'started' | 'copied' | 'checked' | 'closed' | 'renamed' | 'reopened';

export interface CompactionOptions {
  readonly environment: Environment;
  /** This process, as recorded in the file. */
  readonly owner: Owner;
  /** Path of the data file. */
  readonly path: string;
  readonly open: OpenEnvironment;
  /** Free bytes in the file from which it is compacted. */
  readonly minimumFreeBytes: number;
  readonly onStep?: (step: CompactionStep) => void;
}

/** Maximum bytes in use: copying more would delay startup. */
const mostUsedBytes = 512 << 20;
const spareBytes = 64 << 20;

const copyOf = (path: string): string => `${path}.compact`;

/**
 * Replaces a data file that is mostly free pages with a compacted copy. Only the recorded owner does so,
 * before it accepts writes. A crash at any step leaves either the old file or the complete new one.
 *
 * Other processes may have the old file open (a backup, a server that waits for the directory). They share
 * lmdb's lock file with processes that open the new one, and with it the number of the newest transaction,
 * whose lowest bit selects one of the file's two headers. A compacted copy uses the second header, so the
 * number must be odd.
 *
 * @returns the environment to use from now on: the given one, or that of the new file
 */
export async function compactFile(options: CompactionOptions): Promise<Environment> {
  const { environment, owner, path, open, onStep = () => undefined } = options;
  const copy = copyOf(path);
  removeCopy(copy);
  if (!shouldCompact(options)) return environment;
  do {
    if (!environment.claim(owner.epoch, { ...owner, file: anyFile })) return environment;
  } while (lastTransactionOf(path)! % 2 === 0);
  onStep('started');
  let usable = false;
  try {
    await environment.backup(copy, true);
    chmodSync(copy, 0o600);
    syncPath(copy);
    onStep('copied');
    usable = await isEquivalent(environment, path, copy, open);
  } catch {
    // Keep the large file; it is intact.
  }
  if (!usable) {
    removeCopy(copy);
    environment.claim(owner.epoch, owner);
    return environment;
  }
  onStep('checked');
  await environment.close();
  onStep('closed');
  try {
    renameSync(copy, path);
    onStep('renamed');
    syncPath(dirname(path));
  } finally {
    removeCopy(copy);
  }
  const reopened = await open(path);
  onStep('reopened');
  return reopened;
}

function shouldCompact({ environment, path, minimumFreeBytes: leastBytes }: CompactionOptions): boolean {
  const { size } = statSync(path);
  const { used } = environment.usage();
  const free = size - used;
  if (free < leastBytes || free < size / 2 || used > mostUsedBytes) return false;
  return freeBytesOf(dirname(path)) > used + spareBytes;
}

/**
 * Whether the copy can replace the file: intact, of the same transaction, with the same number of entries per
 * table.
 */
async function isEquivalent(
  environment: Environment,
  path: string,
  copy: string,
  open: OpenEnvironment,
): Promise<boolean> {
  if (inspectDataFile(copy, true) !== undefined || lastTransactionOf(copy) !== lastTransactionOf(path))
    return false;
  const other = await open(copy, { readOnly: true });
  try {
    const tables = ['live', 'log', 'deleted', 'leases', 'meta'] as const;
    return tables.every((name) => environment[name].size() === other[name].size());
  } finally {
    await other.close();
  }
}

function removeCopy(copy: string): void {
  for (const path of [copy, `${copy}-lock`]) if (existsSync(path)) rmSync(path, { force: true });
}
