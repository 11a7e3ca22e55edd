import { fromKey } from '../storage.ts';
import { fileIdentity } from './data-directory.ts';
import { isIntact, leaseKey, readHead, readLeaseKey, readLogRecord } from './encoding.ts';
import type { Environment } from './environment.ts';
import { openExisting } from './existing.ts';
import { isAlive } from './owner.ts';
import { lastRevision } from './recovery.ts';
import { slicesOf, textSlicesOf } from './slices.ts';

export interface CheckedStore {
  readonly keys: number;
  readonly revision: number;
}

/**
 * Checks a store: every record is intact, every value can be decoded, and the tables agree. A server may use
 * the store meanwhile; then changes during the check may be reported as damage.
 * @param decode throws for a value that cannot be decoded
 * @param report receives the key of what is damaged, and what is wrong
 * @throws DataDirectoryError when the directory is not a store, or its file is damaged
 */
export async function checkStore(
  directory: string,
  decode: (key: string, value: Uint8Array) => void,
  report: (key: string, problem: string) => void,
): Promise<CheckedStore> {
  const { environment } = await openExisting(directory, { readOnly: true });
  try {
    const keys = await checkLive(environment, decode, report);
    await checkLeases(environment, report);
    await checkLog(environment, report);
    return { keys, revision: lastRevision(environment) };
  } finally {
    await environment.close();
  }
}

/**
 * The process that has a store open; undefined if none is known to run.
 * @throws DataDirectoryError when the directory is not a store, or its file is damaged
 */
export async function runningOwner(directory: string): Promise<number | undefined> {
  const { environment, path } = await openExisting(directory, { readOnly: true });
  try {
    const owner = environment.owner();
    return owner !== undefined && isAlive(owner, fileIdentity(path)) ? owner.pid : undefined;
  } finally {
    await environment.close();
  }
}

async function checkLive(
  environment: Environment,
  decode: (key: string, value: Uint8Array) => void,
  report: (key: string, problem: string) => void,
): Promise<number> {
  const { live, log, leases } = environment;
  const newest = lastRevision(environment);
  let count = 0;
  for await (const keys of textSlicesOf(live)) {
    for (const key of keys) {
      const head = live.get(key, readHead)!;
      const { revision, deadline } = head;
      const record = log.get(revision, (buffer, size) => ({
        intact: isIntact(buffer, size, revision),
        ...copyOf(readLogRecord(buffer, size)),
      }));
      const problem = head.corrupt
        ? 'its entry in the table of keys is damaged'
        : revision > newest
          ? `its revision ${revision} is above the newest, ${newest}`
          : record === undefined
            ? `its record at revision ${revision} is missing`
            : !record.intact
              ? `its record at revision ${revision} is damaged`
              : record.key !== key
                ? `its record at revision ${revision} is that of ${JSON.stringify(fromKey(record.key))}`
                : record.deletion
                  ? `its record at revision ${revision} is a deletion`
                  : deadline > 0 && !leases.has(leaseKey(deadline, key))
                    ? 'it expires, and is not in the table of expiries'
                    : undecodable(() => decode(key, record.value));
      if (problem !== undefined) report(key, problem);
    }
    count += keys.length;
  }
  return count;
}

const copyOf = ({ key, deletion, value }: ReturnType<typeof readLogRecord>) => ({
  key,
  deletion,
  value: new Uint8Array(value),
});

function undecodable(decode: () => void): string | undefined {
  try {
    decode();
    return undefined;
  } catch (error) {
    return `its value cannot be decoded: ${(error as Error).message}`;
  }
}

async function checkLeases(
  { live, leases }: Environment,
  report: (key: string, problem: string) => void,
): Promise<void> {
  for await (const names of textSlicesOf(leases))
    for (const name of names) {
      const { deadline, key } = readLeaseKey(name);
      if (live.get(key, readHead)?.deadline !== deadline)
        report(key, 'the table of expiries has another time than the key');
    }
}

/** History is checked for damage only; its keys may be gone. */
async function checkLog({ log }: Environment, report: (key: string, problem: string) => void): Promise<void> {
  for await (const revisions of slicesOf(log, 0, (revision) => revision + 1))
    for (const revision of revisions) {
      const damaged = log.get(revision, (buffer, size) =>
        isIntact(buffer, size, revision) ? undefined : readLogRecord(buffer, size).key,
      );
      if (damaged !== undefined) report(damaged, `the record of history at revision ${revision} is damaged`);
    }
}
