import { statfsSync } from 'node:fs';
import type { StorageClock } from '../clock.ts';
import { OutOfSpaceError } from '../storage.ts';

export interface SpaceGuardOptions {
  readonly directory: string;
  readonly clock: StorageClock;
  /** Free bytes below which puts are refused. */
  readonly minimumBytes: number;
  /** Free bytes on the file system of `directory`. */
  readonly freeBytes?: (directory: string) => number;
}

const checkInterval = 1000;
const checkBytes = 4 << 20;

export function freeBytesOf(directory: string): number {
  const { bavail, bsize } = statfsSync(directory);
  return bavail * bsize;
}

/**
 * Refuses puts before the disk is full, because a commit that fails for want of space leaves open what it did.
 * Deletions and compaction, which make space in the end, go on down to a quarter of the minimum.
 * It looks at most once a second, or after 4 MB written.
 */
export class SpaceGuard {
  #free = Number.POSITIVE_INFINITY;
  #checkedAt = Number.NEGATIVE_INFINITY;
  #written = 0;

  constructor(private readonly options: SpaceGuardOptions) {}

  wrote(bytes: number): void {
    this.#written += bytes;
  }

  /** Why a put (or with `releasing` a deletion) is refused now. */
  shortage(releasing = false): OutOfSpaceError | undefined {
    const { directory, clock, minimumBytes, freeBytes = freeBytesOf } = this.options;
    const now = clock.now();
    if (this.#written >= checkBytes || Math.abs(now - this.#checkedAt) >= checkInterval) {
      this.#free = freeBytes(directory);
      this.#checkedAt = now;
      this.#written = 0;
    }
    if (this.#free >= (releasing ? minimumBytes / 4 : minimumBytes)) return undefined;
    const megabytes = (bytes: number) => `${(bytes / (1 << 20)).toFixed(0)} MB`;
    return new OutOfSpaceError(
      `nothing was written: the disk of ${directory} has ${megabytes(this.#free)} left and ${megabytes(minimumBytes)} are kept free; free some space and writes work again`,
    );
  }
}
