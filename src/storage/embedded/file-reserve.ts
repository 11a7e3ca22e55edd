import { closeSync, openSync, writeSync } from 'node:fs';

/** Written at once; also the least by which the file is extended, so that few commits have to wait for it. */
const stepBytes = 1 << 20;
const leastExtension = 8 * stepBytes;

/**
 * Room on the disk for what the next commits append to the data file, taken before lmdb is asked: when the
 * disk is full, this write fails and harms nothing, whereas a commit that fails for want of space has been
 * seen to end the process inside lmdb. What lies behind lmdb's last page belongs to nobody, so zeros there
 * are no change.
 */
export class FileReserve {
  /** Bytes of the file, from its beginning, that are known to have room on the disk. */
  #writtenTo = 0;

  constructor(private readonly path: string) {}

  /** Bytes behind `end` that are there already. */
  behind(end: number): number {
    return Math.max(0, this.#writtenTo - end);
  }

  /**
   * Sees to it that `bytes` behind `end`, the end of lmdb's last page, are there. No commit may be under way.
   * @returns why not
   */
  extend(end: number, bytes: number): Error | undefined {
    if (this.behind(end) >= bytes) return undefined;
    this.#writtenTo = Math.max(this.#writtenTo, end);
    const target = end + Math.max(bytes, leastExtension);
    try {
      const file = openSync(this.path, 'r+');
      try {
        const zeros = Buffer.alloc(Math.min(stepBytes, target - this.#writtenTo));
        while (this.#writtenTo < target)
          this.#writtenTo += writeSync(
            file,
            zeros,
            0,
            Math.min(zeros.length, target - this.#writtenTo),
            this.#writtenTo,
          );
      } finally {
        closeSync(file);
      }
    } catch (error) {
      if (this.behind(end) < bytes) return error as Error;
    }
    return undefined;
  }
}
