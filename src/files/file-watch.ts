import { type FSWatcher, watch } from 'node:fs';
import { dirname } from 'node:path';
import { processClock } from '../time/clock.ts';

/** Debounce interval: editors and mounts replace a file in several steps. */
const SETTLE_MILLISECONDS = 50;
/** Poll interval for changes without file events (network file systems, symbolic links). */
const POLL_MILLISECONDS = 60_000;

/** The source of file events; replaced in tests. */
export interface FileEvents {
  /** Calls `changed` when the directory changes. @returns a function that stops it */
  watchDirectory(directory: string, changed: () => void): () => void;
  /**
   * Calls `act` once after a delay, without keeping the process alive. @returns a function that cancels it
   */
  after(milliseconds: number, act: () => void): () => void;
}

const SYSTEM_EVENTS: FileEvents = {
  watchDirectory(directory, changed) {
    let watcher: FSWatcher | undefined;
    try {
      watcher = watch(directory, { persistent: false }, changed);
      // The directory was deleted or the watch limit was reached: polling continues.
      watcher.on('error', () => watcher?.close());
    } catch {
      return () => undefined;
    }
    return () => watcher?.close();
  },
  after: processClock.after,
};

export interface ReloadOptions {
  /**
   * The files to watch. Their directories are watched, so that a replacement by rename or link is noticed.
   */
  readonly files: readonly string[];
  /**
   * Reloads the files. Called periodically, so it must detect itself whether they changed. Must not throw.
   */
  readonly reload: () => void | Promise<void>;
  readonly events?: FileEvents;
}

/** Calls `reload` after changes and every minute, never concurrently. @returns a function that stops it */
export function reloadOnChange({ files, reload, events = SYSTEM_EVENTS }: ReloadOptions): () => void {
  let stopped = false;
  let running = false;
  let again = false;
  let stopTimer: (() => void) | undefined;

  const plan = (milliseconds: number): void => {
    stopTimer?.();
    stopTimer = stopped ? undefined : events.after(milliseconds, () => void run());
  };
  const run = async (): Promise<void> => {
    if (running) {
      again = true;
      return;
    }
    running = true;
    await reload();
    running = false;
    plan(again ? SETTLE_MILLISECONDS : POLL_MILLISECONDS);
    again = false;
  };
  const stops = [...new Set(files.map((file) => dirname(file)))].map((directory) =>
    events.watchDirectory(directory, () => plan(SETTLE_MILLISECONDS)),
  );
  plan(POLL_MILLISECONDS);
  return () => {
    stopped = true;
    stopTimer?.();
    for (const stop of stops) stop();
  };
}
