import { closeSync, openSync, writeSync } from 'node:fs';

/** Bytes written per call, and the minimum extension of the file, so that few commits wait for it. */
const stepBytes = 1 << 20;
const leastExtension = 8 * stepBytes;

/**
 * Reserves disk space for the bytes that the next commits append to the data file. When the disk is full,
 * this write fails harmlessly, whereas a commit that runs out of space can crash the process inside lmdb. The
 * bytes after lmdb's last page are unused, so zeros there change nothing.
 */
export class FileReserve {
  /** Bytes from the start of the file that are known to be allocated on disk. */
  #writtenTo = 0;

  constructor(private readonly path: string) {}

  /** Bytes already reserved after `end`. */
  behind(end: number): number {
    return Math.max(0, this.#writtenTo - end);
  }

  /**
   * Reserves `bytes` after `end`, the end of lmdb's last page. No commit may be in progress.
   * @returns the error when the space cannot be reserved
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
