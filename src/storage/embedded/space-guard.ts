import { statfsSync } from 'node:fs';
import type { ProcessClock } from '../../time/clock.ts';
import { OutOfSpaceError } from '../storage.ts';
import type { FileUsage, Growth } from './environment.ts';
import { FileReserve } from './file-reserve.ts';

export interface SpaceGuardOptions {
  readonly directory: string;
  /** Path of the data file. */
  readonly path: string;
  readonly clock: ProcessClock;
  /** Free bytes below which puts are refused. */
  readonly minimumFreeBytes: number;
  readonly usage: () => FileUsage;
  /** Free bytes on the file system of `directory`. */
  readonly freeBytes?: (directory: string) => number;
}

const checkInterval = 1000;
const checkBytes = 4 << 20;
/** Below this, or four times the minimum, space is reserved before each commit. */
const leastComfort = 32 << 20;
/** More than others write between two checks: above it, a commit relies on the last one. */
const ampleBytes = 4 * 2 ** 30;

/**
 * Purpose of a commit. Deletions lead to compaction, which frees pages inside the file. Both need some space
 * first, so puts leave a reserve for them.
 */
export type CommitPurpose = 'put' | 'delete' | 'compact';

const reservedBytes: Readonly<Record<CommitPurpose, number>> = { put: 6 << 20, delete: 3 << 20, compact: 0 };
const unusableBytes = 1 << 20;

export function freeBytesOf(directory: string): number {
  const { bavail, bsize } = statfsSync(directory);
  return bavail * bsize;
}

/**
 * Refuses puts before the disk is full. Free pages inside the data file count as free space. Deletions and
 * compaction, which free pages, are accepted down to a quarter of the minimum. The free space is measured once
 * per second and after 4 MB written, below 4 GB before each commit.
 */
export class SpaceGuard {
  #free = Number.POSITIVE_INFINITY;
  #checkedAt = Number.NEGATIVE_INFINITY;
  #written = 0;
  #failed = false;
  readonly #comfortableBytes: number;
  readonly #reserve: FileReserve;

  constructor(private readonly options: SpaceGuardOptions) {
    this.#comfortableBytes = Math.max(options.minimumFreeBytes * 4, leastComfort);
    this.#reserve = new FileReserve(options.path);
  }

  wrote(bytes: number): void {
    this.#written += bytes;
  }

  /**
   * Records a commit that ran out of space unexpectedly (a quota): from now on space is reserved before each
   * commit.
   */
  commitFailed(): void {
    this.#failed = true;
    this.#checkedAt = Number.NEGATIVE_INFINITY;
  }

  /** Whether commits should be small, because space is reserved for each. */
  get low(): boolean {
    return this.#failed || this.#free < this.#comfortableBytes;
  }

  /** Returns the reason why a put (or a deletion, if `releasing`) is refused now. */
  shortage(releasing = false): OutOfSpaceError | undefined {
    const { clock, minimumFreeBytes } = this.options;
    const now = clock.now();
    if (this.#written >= checkBytes || Math.abs(now - this.#checkedAt) >= checkInterval) {
      this.#measure();
      this.#checkedAt = now;
      this.#written = 0;
    }
    const needed = releasing ? minimumFreeBytes / 4 : minimumFreeBytes;
    return this.#free >= needed || this.#free + this.#freeInFile() >= needed ? undefined : this.#refusal();
  }

  /**
   * Reserves space in the data file for a commit, keeping the reserve for deletions and compaction. No commit
   * may be in progress. @returns the error when there is not enough space
   */
  reserve({ pages, records }: Growth, purpose: CommitPurpose): OutOfSpaceError | undefined {
    const needed = pages + records;
    if (this.#failed || this.#free < ampleBytes + needed) this.#measure();
    if (!this.#failed && this.#free >= this.#comfortableBytes + needed) return undefined;
    const { end, used } = this.options.usage();
    // Free pages may be scattered, and those of the latest commits are not reusable immediately.
    const inside = Math.max(0, (end - used) / 2 - unusableBytes);
    const problem = this.#reserve.extend(end, Math.max(records, needed + reservedBytes[purpose] - inside));
    return problem && this.#refusal(problem);
  }

  #measure(): void {
    const { directory, freeBytes = freeBytesOf } = this.options;
    this.#free = freeBytes(directory);
  }

  /** Free bytes in the data file: free pages, and the space reserved after the last page. */
  #freeInFile(): number {
    const { end, used } = this.options.usage();
    return Math.max(0, end - used) + this.#reserve.behind(end);
  }

  #refusal(problem?: Error): OutOfSpaceError {
    const megabytes = (bytes: number) => `${(bytes / (1 << 20)).toFixed(0)} MB`;
    const state = `the disk of ${this.options.directory} has ${megabytes(this.#free)} left`;
    const reason = problem
      ? `${state} and refuses more (${problem.message})`
      : `${state} and ${megabytes(this.options.minimumFreeBytes)} are reserved`;
    return new OutOfSpaceError(`nothing was written: ${reason}; free some space and writes work again`);
  }
}
