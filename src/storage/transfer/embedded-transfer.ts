import { randomInt } from 'node:crypto';
import { chmodSync, renameSync, rmSync } from 'node:fs';
import { DataDirectoryError } from '../../errors/data-directory-error.ts';
import { compactedKey } from '../embedded/compactor.ts';
import {
  dataFileOf,
  fileIdentity,
  prepareTarget,
  syncPath,
  writeMarker,
} from '../embedded/data-directory.ts';
import {
  type Head,
  isIntact,
  leaseKey,
  readHead,
  readLogRecord,
  writeHead,
  writeLogRecord,
  writeNumber,
} from '../embedded/encoding.ts';
import { type Environment, openEnvironment } from '../embedded/environment.ts';
import { openExisting } from '../embedded/existing.ts';
import { FORMATS, putFormat } from '../embedded/format.ts';
import { isAlive, type Owner, thisProcess } from '../embedded/owner.ts';
import { floorKey, lastRevision } from '../embedded/recovery.ts';
import { textSlicesOf } from '../embedded/slices.ts';
import { fromKey } from '../storage.ts';
import type { TransferredEntry, TransferSource, TransferTarget } from './transfer.ts';

const EMPTY = Buffer.alloc(0);
/**
 * Bytes of values in one commit. Keys are copied in their order and stored in that of their revisions too, so a
 * commit may write a page of the log for each key: many small commits write every page many times.
 */
const COMMIT_BYTES = 32 << 20;
const PREFIX = '/registry';

/**
 * Opens a data directory that no server uses.
 * @throws DataDirectoryError
 */
export async function embeddedSource(directory: string): Promise<TransferSource> {
  const { environment, path } = await openExisting(directory, { readOnly: true });
  const owner = environment.owner();
  if (owner !== undefined && isAlive(owner, fileIdentity(path))) {
    await environment.close();
    throw new DataDirectoryError(`${directory} is in use by process ${owner.pid}: stop it first`);
  }
  return sourceOf(environment);
}

/** The present state of an open data file. */
export function sourceOf(environment: Environment): TransferSource {
  const owner = environment.owner();
  const revision = lastRevision(environment);
  return {
    revision,
    prefix: PREFIX,
    entries: () => entriesOf(environment),
    isUnchanged: async () =>
      environment.owner()?.epoch === owner?.epoch && lastRevision(environment) === revision,
    close: () => environment.close(),
  };
}

/** @throws DataDirectoryError when a value is damaged */
async function* entriesOf(environment: Environment): AsyncGenerator<readonly TransferredEntry[]> {
  for await (const keys of textSlicesOf(environment.live)) {
    const entries = keys.flatMap((key) => {
      const head = environment.live.get(key, readHead)!;
      return head.createRevision === 0 ? [] : [entryOf(environment, key, head)];
    });
    if (entries.length > 0) yield entries;
  }
}

function entryOf({ log }: Environment, key: string, head: Head): TransferredEntry {
  const { revision, createRevision, deadline, corrupt } = head;
  const value = log.get(revision, (buffer, size) =>
    isIntact(buffer, size, revision) ? new Uint8Array(readLogRecord(buffer, size).value) : undefined,
  );
  if (corrupt || value === undefined)
    throw new DataDirectoryError(
      `the stored value of ${JSON.stringify(fromKey(key))} is damaged: delete the object, or restore it from a backup`,
    );
  return { key, value, revision, createRevision, expires: deadline };
}

/**
 * Creates a data directory. Revisions and expiries of the entries are kept.
 * @throws DataDirectoryError when the directory is not empty
 */
export async function embeddedTarget(directory: string): Promise<TransferTarget> {
  const target = prepareTarget(directory);
  const path = `${dataFileOf(target)}.partial`;
  const environment = await openEnvironment(path);
  const owner: Owner = thisProcess(randomInt(1, 2 ** 47), fileIdentity(path));
  if (!environment.claim(undefined, owner)) throw new DataDirectoryError(`${path} is in use`);
  const commit = async (write: () => void): Promise<void> => {
    if (!(await environment.commit(owner.epoch, write)))
      throw new DataDirectoryError(`${path} was taken over by another process`);
  };
  let waiting: TransferredEntry[] = [];
  let waitingBytes = 0;
  const commitWaiting = async (): Promise<void> => {
    const entries = waiting;
    [waiting, waitingBytes] = [[], 0];
    // A read within a commit does not see its puts.
    const revisions = new Set<number>();
    for (const entry of entries) {
      if (revisions.has(entry.revision) || environment.log.has(entry.revision)) throw sharedRevision(entry);
      revisions.add(entry.revision);
    }
    await commit(() => {
      for (const entry of entries) putEntry(environment, entry);
    });
  };
  let finished = false;
  return {
    prefix: PREFIX,
    async write(entries) {
      waiting.push(...entries);
      for (const { value } of entries) waitingBytes += value.length;
      if (waitingBytes >= COMMIT_BYTES) await commitWaiting();
    },
    async finish(revision) {
      await commitWaiting();
      await commit(() => {
        putRevision(environment, revision);
        putFormat(environment, FORMATS.newest);
      });
      finished = true;
      return revision;
    },
    entries: () => entriesOf(environment),
    async close() {
      environment.claim(owner.epoch, { ...owner, released: true });
      await environment.close();
      rmSync(`${path}-lock`, { force: true });
      if (!finished) return;
      chmodSync(path, 0o600);
      syncPath(path);
      renameSync(path, dataFileOf(target));
      writeMarker(target, FORMATS.newest);
      syncPath(target);
    },
  };
}

const sharedRevision = ({ key, revision }: TransferredEntry) =>
  new DataDirectoryError(
    `${JSON.stringify(fromKey(key))} was written in one transaction with another key, at revision ${revision}: write one of them again, and start again`,
  );

function putEntry({ live, log, leases }: Environment, entry: TransferredEntry): void {
  const { key, value, revision, createRevision, expires: deadline } = entry;
  log.put(revision, writeLogRecord(revision, key, { value, createRevision, previousRevision: 0 }).record);
  live.put(key, writeHead({ revision, createRevision, deadline }));
  if (deadline > 0) leases.put(leaseKey(deadline, key), EMPTY);
}

/** The store continues at a revision, and all earlier ones are compacted. */
function putRevision({ meta }: Environment, revision: number): void {
  meta.put(floorKey, writeNumber(revision));
  meta.put(compactedKey, writeNumber(revision));
}

/**
 * Raises the revision of a data directory that no server uses, and marks all earlier ones as compacted:
 * clients that have seen a later state than the restored one read everything again.
 * @throws DataDirectoryError
 */
export async function raiseRevision(directory: string, by: number): Promise<number> {
  const { environment, path } = await openExisting(directory);
  try {
    const before = environment.owner();
    const owner = thisProcess(randomInt(1, 2 ** 47), fileIdentity(path));
    if ((before !== undefined && isAlive(before, owner.file)) || !environment.claim(before?.epoch, owner))
      throw new DataDirectoryError(`${directory} is in use by process ${before?.pid}: stop it first`);
    const revision = lastRevision(environment) + by;
    await environment.commit(owner.epoch, () => putRevision(environment, revision));
    environment.claim(owner.epoch, { ...owner, released: true });
    return revision;
  } finally {
    await environment.close();
  }
}
