import { type FSWatcher, watch } from 'node:fs';
import { dirname } from 'node:path';

/** Editors and mounts replace a file in several steps: a moment is waited for the last. */
const SETTLE_MILLISECONDS = 50;
/**
 * A change that the system doesn't tell of (network file systems, links to elsewhere) is found after so long.
 */
const POLL_MILLISECONDS = 60_000;

/** How changes are noticed; replaced in tests. */
export interface FileEvents {
  /** Calls `changed` when something in the directory changed. @returns stops it */
  watchDirectory(directory: string, changed: () => void): () => void;
  /** Calls `act` once after so many milliseconds; doesn't keep the process alive. @returns stops it */
  after(milliseconds: number, act: () => void): () => void;
}

const SYSTEM_EVENTS: FileEvents = {
  watchDirectory(directory, changed) {
    let watcher: FSWatcher | undefined;
    try {
      watcher = watch(directory, { persistent: false }, changed);
      // A directory that goes, or no more watches to be had: asking from time to time remains.
      watcher.on('error', () => watcher?.close());
    } catch {
      return () => undefined;
    }
    return () => watcher?.close();
  },
  after(milliseconds, act) {
    const timer = setTimeout(act, milliseconds);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

export interface ReloadOptions {
  /**
   * The files that are read; watched by their directories, so that replacing one by rename or link counts.
   */
  readonly files: readonly string[];
  /**
   * Reads the files and takes over what is new; called again and again, so it has to notice itself that
   * nothing changed. Never throws.
   */
  readonly reload: () => void | Promise<void>;
  readonly events?: FileEvents;
}

/** Calls `reload` soon after the files changed, and every minute; never twice at a time. @returns stops it */
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
