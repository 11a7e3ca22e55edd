import { execFileSync } from 'node:child_process';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** A small file system over a directory, where the machine allows one to be mounted. */
export class SmallDisk {
  readonly #filler: string;

  private constructor(readonly directory: string) {
    this.#filler = join(directory, 'filler');
  }

  /** Undefined where nothing can be mounted: the test is then to be skipped, visibly. */
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

  /** Takes every byte that is left, as a program beside the server might. */
  fill(): void {
    const file = openSync(this.#filler, 'w');
    try {
      for (const size of [1 << 20, 1 << 12]) {
        const zeros = Buffer.alloc(size);
        try {
          for (;;) if (writeSync(file, zeros) < size) break;
        } catch {
          // Full for pieces of this size.
        }
      }
    } finally {
      closeSync(file);
    }
  }

  /** Gives back what {@link fill} took. */
  free(): void {
    rmSync(this.#filler);
  }

  unmount(): void {
    execFileSync('umount', ['-l', this.directory]);
  }
}
