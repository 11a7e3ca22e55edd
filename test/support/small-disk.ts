import { execFileSync } from 'node:child_process';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** A small file system mounted on a directory, if the machine permits it. */
export class SmallDisk {
  readonly #filler: string;

  private constructor(readonly directory: string) {
    this.#filler = join(directory, 'filler');
  }

  /** Undefined when mounting is not permitted: the test must then be skipped. */
  static mount(directory: string, megabytes: number): SmallDisk | undefined {
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', directory], {
        stdio: 'ignore',
      });
    } catch {
      return undefined;
    }
    return new SmallDisk(directory);
  }

  /** Uses all free bytes, like another program on the machine. */
  fill(): void {
    const file = openSync(this.#filler, 'w');
    try {
      for (const size of [1 << 20, 1 << 12]) {
        const zeros = Buffer.alloc(size);
        try {
          for (;;) if (writeSync(file, zeros) < size) break;
        } catch {
          // The disk is full for pieces of this size.
        }
      }
    } finally {
      closeSync(file);
    }
  }

  /** Releases the bytes used by {@link fill}. */
  free(): void {
    rmSync(this.#filler);
  }

  /** Refuses all writes from now on. */
  makeReadOnly(): void {
    execFileSync('mount', ['-o', 'remount,ro', this.directory]);
  }

  unmount(): void {
    execFileSync('umount', ['-l', this.directory]);
  }
}
