import { ConfigurationError } from '../../errors/configuration-error.ts';
import { processClock } from '../../time/clock.ts';
import { isEncrypted } from '../encryption/transformer.ts';
import { fromKey } from '../storage.ts';

/** One stored value with its revisions. */
export interface TransferredEntry {
  readonly key: string;
  readonly value: Uint8Array;
  readonly revision: number;
  readonly createRevision: number;
  /** When the store deletes it, in milliseconds of the wall clock; 0 for never. */
  readonly expires: number;
}

/** A store that is read. */
export interface TransferSource {
  readonly revision: number;
  /** All entries of one state, in the order of their keys. */
  entries(): AsyncIterable<readonly TransferredEntry[]>;
  /** Whether the store is still in that state. */
  isUnchanged(): Promise<boolean>;
  /** The prefix to which encrypted values are bound. */
  readonly prefix: string;
  close(): Promise<void>;
}

/** An empty store that is filled. */
export interface TransferTarget {
  readonly prefix: string;
  /** Writes entries, at the latest when the copy is finished. @throws an error if a key exists */
  write(entries: readonly TransferredEntry[]): Promise<void>;
  /**
   * Makes the revision at least `revision`, and every earlier one compacted. Returns the final revision.
   * @param onProgress called with the revision that has been reached
   */
  finish(revision: number, onProgress: (revision: number) => void): Promise<number>;
  /** All entries as they were stored, in the order of their keys. */
  entries(): AsyncIterable<readonly TransferredEntry[]>;
  close(): Promise<void>;
}

export interface TransferResult {
  readonly keys: number;
  readonly revision: number;
}

/**
 * Copies all values of a store byte by byte, raises the revision of the target above that of the source, and
 * compares the copy with the source.
 * @param report receives a line of progress
 * @throws ConfigurationError, DataDirectoryError, and the errors of the stores
 */
export async function transfer(
  source: TransferSource,
  target: TransferTarget,
  report: (line: string) => void,
): Promise<TransferResult> {
  let keys = 0;
  const progress = throttled(report);
  for await (const entries of source.entries()) {
    if (source.prefix !== target.prefix) refuseEncrypted(entries, source.prefix, target.prefix);
    await target.write(entries);
    keys += entries.length;
    progress(() => `copied ${keys} keys`);
  }
  report(`copied ${keys} keys; the source is at revision ${source.revision}`);
  let from: { readonly revision: number; readonly time: number } | undefined;
  const revision = await target.finish(source.revision, (reached) => {
    from ??= { revision: reached, time: processClock.monotonic() };
    const { revision: first, time } = from;
    progress(() => {
      const seconds = (processClock.monotonic() - time) / 1000;
      const left = Math.ceil(((source.revision - reached) * seconds) / Math.max(reached - first, 1));
      return `raised the revision to ${reached} of ${source.revision}; about ${left} s remain`;
    });
  });
  await compare(source, target, (compared) => progress(() => `compared ${compared} of ${keys} keys`));
  if (!(await source.isUnchanged()))
    throw new ConfigurationError('the source was changed during the copy: stop its servers, and start again');
  return { keys, revision };
}

/** Encryption may bind a value to its whole key. */
function refuseEncrypted(entries: readonly TransferredEntry[], from: string, to: string): void {
  const found = entries.find(({ value }) => isEncrypted(value));
  if (found !== undefined)
    throw new ConfigurationError(
      `${JSON.stringify(fromKey(found.key))} is encrypted and bound to the prefix ${from}: keep that prefix instead of ${to}`,
    );
}

/** Entries that expire may be gone in one of the two. */
async function compare(
  source: TransferSource,
  target: TransferTarget,
  onProgress: (keys: number) => void,
): Promise<void> {
  const copied = lasting(target.entries());
  let compared = 0;
  for await (const entry of lasting(source.entries())) {
    const { value: copy } = await copied.next();
    if (copy === undefined || copy.key !== entry.key || Buffer.compare(copy.value, entry.value) !== 0)
      throw differs(entry.key);
    compared += 1;
    onProgress(compared);
  }
  if ((await copied.next()).done !== true)
    throw new Error('the copy has other keys than the source: empty the target, and start again');
}

const differs = (key: string) =>
  new Error(`${JSON.stringify(fromKey(key))} differs in the copy: empty the target, and start again`);

async function* lasting(
  batches: AsyncIterable<readonly TransferredEntry[]>,
): AsyncGenerator<TransferredEntry, undefined> {
  for await (const batch of batches) for (const entry of batch) if (entry.expires === 0) yield entry;
  return undefined;
}

const PROGRESS_MILLISECONDS = 2000;

/** Reports at most every two seconds. */
function throttled(report: (line: string) => void): (line: () => string) => void {
  let next = processClock.monotonic() + PROGRESS_MILLISECONDS;
  return (line) => {
    if (processClock.monotonic() < next) return;
    next = processClock.monotonic() + PROGRESS_MILLISECONDS;
    report(line());
  };
}
