import { closeSync, mkdirSync, openSync } from 'node:fs';
import { type FileHandle, open, rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { LineSink } from './log-backend.ts';
import { backupName, pruneBackups } from './log-backups.ts';

export interface LogFileOptions {
  readonly path: string;
  /** Maximum size of the file in bytes before rotation. */
  readonly maximumBytes: number;
  /** Maximum age of backups in days; 0: no limit. */
  readonly maximumAge: number;
  /** Maximum number of backups; 0: no limit. */
  readonly maximumBackups: number;
  /** Whether backups are compressed. */
  readonly compress: boolean;
  /** Wall clock in milliseconds. */
  readonly now: () => number;
  /** Called when pruning of backups fails; logging continues. */
  readonly onPruneFailure: (error: Error) => void;
}

/** Maximum bytes waiting to be written; further lines are rejected. */
const MAXIMUM_WAITING_BYTES = 64 << 20;

interface Waiting {
  readonly text: string;
  readonly bytes: number;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/**
 * A log file with rotation, readable by its owner only. Lines that arrive during a write are part of the next
 * write.
 */
export class LogFile implements LineSink {
  readonly #options: LogFileOptions;
  #handle: FileHandle | undefined;
  #size = 0;
  #waiting: Waiting[] = [];
  #waitingBytes = 0;
  #writing: Promise<void> | undefined;
  #pruning: Promise<void> = Promise.resolve();
  /** A write failed part-way: the next write starts a new line. */
  #torn = false;

  /** @throws NodeJS.ErrnoException when the file cannot be created or written */
  constructor(options: LogFileOptions) {
    this.#options = options;
    mkdirSync(dirname(options.path), { recursive: true, mode: 0o700 });
    closeSync(openSync(options.path, 'a', 0o600));
  }

  append(text: string): Promise<void> {
    const bytes = Buffer.byteLength(text);
    if (this.#waitingBytes + bytes > MAXIMUM_WAITING_BYTES && this.#waiting.length > 0)
      return Promise.reject(new Error('the disk is too slow for the audit log'));
    const written = new Promise<void>((resolve, reject) => {
      this.#waiting.push({ text, bytes, resolve, reject });
    });
    this.#waitingBytes += bytes;
    this.#writing ??= this.#writeAll();
    return written;
  }

  async close(): Promise<void> {
    while (this.#writing !== undefined) await this.#writing;
    await this.#pruning;
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
    // Synchronous with the check of the queue above: a later append starts a new run.
    this.#writing = undefined;
  }

  /** Writes the queued lines and rotates the file as needed. */
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
    this.#pruning = this.#pruning
      .then(() => pruneBackups(this.#options))
      .catch((error: Error) => this.#options.onPruneFailure(error));
  }
}

/** A backup name that no file has: two rotations may share a millisecond. */
async function freeName(path: string, time: number): Promise<string> {
  for (let moment = time; ; moment += 1) {
    const name = backupName(path, moment);
    const exists = await Promise.all(
      [name, `${name}.gz`].map((one) =>
        stat(one).then(
          () => true,
          () => false,
        ),
      ),
    );
    if (!exists.includes(true)) return name;
  }
}
