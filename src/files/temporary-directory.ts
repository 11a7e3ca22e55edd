import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atExit } from './at-exit.ts';

/**
 * A directory below the system's temporary directory, accessible to its owner only. Created on first use, removed at
 * exit at the latest.
 */
export class TemporaryDirectory {
  readonly #prefix: string;
  #directory: string | undefined;
  #removed = false;
  #cancel = (): void => undefined;
  readonly #written = new Set<string>();

  /** @param prefix beginning of its name */
  constructor(prefix = 'binnacle-') {
    this.#prefix = prefix;
  }

  /** Undefined until it is used. */
  get directory(): string | undefined {
    return this.#directory;
  }

  /** Path of a file or directory in it. @throws if the directory has been removed, and the system error */
  path(name: string): string {
    if (this.#directory === undefined && this.#removed)
      throw new Error(`cannot create ${name}: the cluster has stopped; read its path earlier`);
    if (this.#directory === undefined) {
      const directory = mkdtempSync(join(tmpdir(), this.#prefix));
      this.#directory = directory;
      this.#cancel = atExit(() => rmSync(directory, { recursive: true, force: true }));
    }
    return join(this.#directory, name);
  }

  /** Writes a file, readable by its owner only, and returns its path. Later calls only return the path. */
  write(name: string, text: string): string {
    const file = this.path(name);
    if (!this.#written.has(file)) writeFileSync(file, text, { mode: 0o600 });
    this.#written.add(file);
    return file;
  }

  remove(): void {
    this.#removed = true;
    if (this.#directory === undefined) return;
    rmSync(this.#directory, { recursive: true, force: true });
    this.#cancel();
  }
}
