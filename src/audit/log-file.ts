import { closeSync, mkdirSync, openSync } from 'node:fs';
import { type FileHandle, open, rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { LineSink } from './log-backend.ts';
import { backupName, pruneBackups } from './log-backups.ts';

export interface LogFileOptions {
  readonly path: string;
  /** Bytes at which the file is put aside for a new one. */
  readonly maximumBytes: number;
  /** Days that files put aside are kept; 0 for ever. */
  readonly maximumAge: number;
  /** Files put aside that are kept; 0 for all. */
  readonly maximumBackups: number;
  /** Files put aside are compressed. */
  readonly compress: boolean;
  /** Wall clock in milliseconds. */
  readonly now: () => number;
  /** Told when tidying up fails; the log itself goes on. */
  readonly onPruneFailure: (error: Error) => void;
}

/** Bytes waiting to be written; what comes on top of them is refused. */
const MAXIMUM_WAITING_BYTES = 64 << 20;

interface Waiting {
  readonly text: string;
  readonly bytes: number;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/**
 * A file that lines are appended to, for its owner's eyes only, put aside when it is large. What arrives
 * while a write is under way goes with the next.
 */
export class LogFile implements LineSink {
  readonly #options: LogFileOptions;
  #handle: FileHandle | undefined;
  #size = 0;
  #waiting: Waiting[] = [];
  #waitingBytes = 0;
  #writing: Promise<void> | undefined;
  #tidying: Promise<void> = Promise.resolve();
  /** A write failed half-way: the next begins a new line. */
  #torn = false;

  /** @throws NodeJS.ErrnoException when the file cannot be made or written to */
  constructor(options: LogFileOptions) {
    this.#options = options;
    mkdirSync(dirname(options.path), { recursive: true, mode: 0o700 });
    closeSync(openSync(options.path, 'a', 0o600));
  }

  append(text: string): Promise<void> {
    const bytes = Buffer.byteLength(text);
    if (this.#waitingBytes + bytes > MAXIMUM_WAITING_BYTES && this.#waiting.length > 0)
      return Promise.reject(new Error('the disk does not keep up with the audit log'));
    const written = new Promise<void>((resolve, reject) => {
      this.#waiting.push({ text, bytes, resolve, reject });
    });
    this.#waitingBytes += bytes;
    this.#writing ??= this.#writeAll();
    return written;
  }

  async close(): Promise<void> {
    while (this.#writing !== undefined) await this.#writing;
    await this.#tidying;
    await this.#handle?.close();
    this.#handle = undefined;
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const waiting = this.#waiting;
      this.#waiting = [];
      this.#waitingBytes = 0;
      await this.#write(waiting);
    }
    // In the same turn as the look at what is waiting: what comes later begins anew.
    this.#writing = undefined;
  }

  /** Writes what is waiting, in as many files as it takes. */
  async #write(waiting: readonly Waiting[]): Promise<void> {
    let from = 0;
    while (from < waiting.length) {
      let to = from;
      try {
        await this.#open();
        let bytes = 0;
        while (
          to < waiting.length &&
          (to === from || this.#size + bytes + waiting[to]!.bytes <= this.#options.maximumBytes)
        )
          bytes += waiting[to++]!.bytes;
        if (this.#size > 0 && this.#size + bytes > this.#options.maximumBytes) await this.#rotate();
        const text = waiting
          .slice(from, to)
          .reduce((joined, one) => joined + one.text, this.#torn ? '\n' : '');
        await this.#handle!.appendFile(text);
        this.#torn = false;
        this.#size += bytes;
        for (const { resolve } of waiting.slice(from, to)) resolve();
      } catch (error) {
        to = Math.max(to, from + 1);
        this.#torn = true;
        for (const { reject } of waiting.slice(from, to)) reject(error as Error);
      }
      from = to;
    }
  }

  async #open(): Promise<void> {
    if (this.#handle !== undefined) return;
    const handle = await open(this.#options.path, 'a', 0o600);
    this.#size = (await handle.stat()).size;
    this.#handle = handle;
  }

  async #rotate(): Promise<void> {
    const { path, now } = this.#options;
    await this.#handle?.close();
    this.#handle = undefined;
    const backup = await freeName(path, now());
    await rename(path, backup);
    await this.#open();
    this.#tidying = this.#tidying
      .then(() => pruneBackups(this.#options))
      .catch((error: Error) => this.#options.onPruneFailure(error));
  }
}

/** Two files put aside in the same millisecond must not become one. */
async function freeName(path: string, time: number): Promise<string> {
  for (let moment = time; ; moment += 1) {
    const name = backupName(path, moment);
    const taken = await Promise.all(
      [name, `${name}.gz`].map((one) =>
        stat(one).then(
          () => true,
          () => false,
        ),
      ),
    );
    if (!taken.includes(true)) return name;
  }
}
