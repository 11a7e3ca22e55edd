import { randomInt } from 'node:crypto';
import { constants, existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { ConfigurationError } from '../../errors/configuration-error.ts';
import { DataDirectoryError } from '../../errors/data-directory-error.ts';
import { AdjustableClock } from '../../time/adjustable-clock.ts';
import { type ClusterClock, holdingClock, type ProcessClock, processClock } from '../../time/clock.ts';
import { pause } from '../../time/pause.ts';
import type { ImmediateStorage } from '../storage.ts';
import { type CompactionStep, compactFile } from './compact-file.ts';
import { compactedKey } from './compactor.ts';
import { type ConversionStep, convertDirectory } from './conversion.ts';
import {
  checkDataFile,
  dataFileOf,
  fileIdentity,
  type MarkedDirectory,
  prepareDataDirectory,
  restoreAdvice,
  syncPath,
} from './data-directory.ts';
import { EmbeddedStorage } from './embedded-storage.ts';
import { readNumber } from './encoding.ts';
import { type Environment, type OpenEnvironment, openEnvironment } from './environment.ts';
import { FORMATS, type Formats, formatOfFile } from './format.ts';
import { isAlive, type Owner, thisProcess } from './owner.ts';
import { lastRevision } from './recovery.ts';
import { SpaceGuard } from './space-guard.ts';
import { StoreState } from './state.ts';

export interface EmbeddedStorageOptions {
  /** Directory used by this store only; created if absent. */
  readonly directory: string;
  readonly clock?: ProcessClock;
  /** Times to live count by it; that of the process unless given. */
  readonly clusterClock?: Pick<ClusterClock, 'now' | 'after'>;
  /** Puts are refused when the free space of the disk and the data file together is less (default 64 MB). */
  readonly minimumFreeBytes?: number;
  /** Free bytes on the file system of the directory. */
  readonly freeBytes?: (directory: string) => number;
  /**
   * Maximum bytes of recent events kept in memory for resuming watches (default 16 MB); older ones are read
   * from disk.
   */
  readonly recentEventBytes?: number;
  /**
   * Bytes written (default 2 GB) after which the store compacts its history regardless of the caller's
   * schedule; at least the newest half is kept.
   */
  readonly maximumHistoryBytes?: number;
  /** Milliseconds (default 2000) to wait for the recorded owner to exit before the directory is refused. */
  readonly ownerWaitMilliseconds?: number;
  /**
   * Free bytes (default 16 MB, and at least half of the file) from which the data file is compacted on open.
   */
  readonly compactFromBytes?: number;
  /** Called after each step of that compaction. */
  readonly onCompaction?: (step: CompactionStep) => void;
  /** Called before a directory of an older data format is converted. */
  readonly onConversion?: (from: number, to: number) => void;
  /** Called at each step of that conversion. */
  readonly onConversionStep?: (step: ConversionStep) => void;
  /** Data formats that are read; replaced by tests. */
  readonly formats?: Formats;
  /** Called when the store has failed permanently: the process should log the error and exit. */
  readonly onFatal?: (error: Error) => void;
  /** Opens the data file; replaced by tests to inject errors. */
  readonly open?: OpenEnvironment;
}

const ownerWait = 2000;
const ownerPoll = 50;

/** Directories open in this process: lmdb would share a file handle between two stores. */
const openDirectories = new Set<string>();

/**
 * Opens the embedded store with exclusive ownership of its directory.
 * @throws DataDirectoryError when the directory is in use, foreign, damaged or not accessible
 */
export async function openEmbeddedStorage(options: EmbeddedStorageOptions): Promise<ImmediateStorage> {
  const marked = prepareDataDirectory(options.directory, options.formats ?? FORMATS);
  const { path: directory } = marked;
  if (openDirectories.has(directory)) throw inUse(directory, process.pid);
  openDirectories.add(directory);
  try {
    return await open(marked, options);
  } catch (error) {
    openDirectories.delete(directory);
    throw error;
  }
}

async function open(marked: MarkedDirectory, options: EmbeddedStorageOptions): Promise<ImmediateStorage> {
  const { path: directory } = marked;
  const { clock = processClock, clusterClock = new AdjustableClock(clock) } = options;
  const { onFatal = () => undefined, open = openEnvironment } = options;
  const { minimumFreeBytes = 64 << 20, recentEventBytes = 16 << 20, maximumHistoryBytes = 2 ** 31 } = options;
  const { formats = FORMATS, onConversion: announce = () => undefined } = options;
  const path = dataFileOf(directory);
  let { environment, owner } = await claimFile(marked, path, options);
  try {
    const before = environment;
    const { compactFromBytes = 16 << 20, onCompaction: onStep } = options;
    environment = await compactFile({
      environment,
      owner,
      path,
      open,
      minimumFreeBytes: compactFromBytes,
      onStep,
    });
    if (environment !== before) {
      const { epoch } = owner;
      owner = { ...owner, file: fileIdentity(path) };
      if (!environment.claim(epoch, owner)) throw inUse(directory, environment.owner()?.pid ?? 0);
    }
    await convertDirectory({
      environment,
      owner,
      directory,
      marked: marked.format,
      formats,
      announce,
      onStep: options.onConversionStep ?? (() => undefined),
    });
    syncPath(directory);
    syncPath(dirname(directory));
    const compactedRevision = environment.meta.get(compactedKey, readNumber) ?? 0;
    const state = new StoreState(environment, owner.epoch, {
      revision: lastRevision(environment),
      compactedRevision,
    });
    const guard = new SpaceGuard({
      directory,
      path,
      clock,
      minimumFreeBytes,
      usage: () => state.environment.usage(),
      freeBytes: options.freeBytes,
    });
    const onClosed = () => void openDirectories.delete(directory);
    return new EmbeddedStorage({
      state,
      clock,
      clusterClock,
      guard,
      path,
      format: formats.newest,
      open,
      recentEventBytes,
      maximumHistoryBytes,
      onFatal,
      onClosed,
    });
  } catch (error) {
    await environment.close();
    throw unreadable(error, path);
  }
}

/**
 * Opens the data file and records this process as its owner. If its owner has meanwhile replaced the file
 * with a compacted copy, it is reopened: nothing may be written to the old file. A file of a newer format is
 * refused before that.
 */
async function claimFile(
  { path: directory, format }: MarkedDirectory,
  path: string,
  { open = openEnvironment, ownerWaitMilliseconds = ownerWait, formats = FORMATS }: EmbeddedStorageOptions,
): Promise<{ environment: Environment; owner: Owner }> {
  for (;;) {
    const file = existsSync(path) ? fileIdentity(path) : undefined;
    let environment: Environment;
    try {
      environment = await open(path);
    } catch (error) {
      // The library cannot be loaded, which has nothing to do with the file.
      if (error instanceof ConfigurationError) throw error;
      throw new DataDirectoryError(
        `${path} cannot be opened (${(error as Error).message}): correct that, restore a backup, or move ${directory} away to start empty`,
      );
    }
    try {
      formatOfFile(directory, environment, format, formats);
      const owner = await claimOwnership(
        environment,
        directory,
        path,
        file ?? fileIdentity(path),
        ownerWaitMilliseconds,
      );
      if (owner) return { environment, owner };
    } catch (error) {
      await environment.close();
      throw unreadable(error, path);
    }
    await environment.close();
  }
}

function unreadable(error: unknown, path: string): DataDirectoryError {
  if (error instanceof DataDirectoryError) return error;
  return new DataDirectoryError(`${path} cannot be read (${(error as Error).message}): ${restoreAdvice}`);
}

/**
 * Records this process as the owner, unless the recorded owner is alive and does not exit within `wait`
 * milliseconds. The record is compared again under lmdb's write lock. A file that its owner did not close is
 * checked completely first, since a crash may have corrupted it.
 * @returns undefined when the file at `path` is no longer the open one, `file`
 */
async function claimOwnership(
  environment: Environment,
  directory: string,
  path: string,
  file: string,
  wait: number,
): Promise<Owner | undefined> {
  const owner = thisProcess(randomInt(1, 2 ** 47), file);
  let before = environment.owner();
  for (let waited = 0; before && isAlive(before, file); before = environment.owner()) {
    if (waited >= wait) throw inUse(directory, before.pid);
    await pause(ownerPoll, holdingClock);
    waited += ownerPoll;
    if (fileIdentity(path) !== file) return undefined;
  }
  if (before && !before.released) checkDataFile(path, constants.R_OK, true);
  // Only an owner replaces the file; if that happens after this check, the record in the old file has
  // changed.
  if (fileIdentity(path) !== file) return undefined;
  if (environment.claim(before?.epoch, owner)) return owner;
  throw inUse(directory, environment.owner()?.pid ?? 0);
}

function inUse(directory: string, pid: number): DataDirectoryError {
  const holder = pid === process.pid ? 'this process' : `process ${pid}`;
  return new DataDirectoryError(
    `${directory} is in use by ${holder}: stop it first, or choose another data directory`,
  );
}
