import type { ProcessClock } from '../../time/clock.ts';
import { yieldToEventLoop } from '../../time/event-loop.ts';
import { StorageUnavailableError, type StoreEvent } from '../storage.ts';
import { inspectDataFile } from './data-file.ts';
import { readNumber, writeNumber } from './encoding.ts';
import type { Environment, OpenEnvironment } from './environment.ts';
import { growthOf } from './plan.ts';
import type { Reader } from './reader.ts';
import type { SpaceGuard } from './space-guard.ts';
import type { StoreState } from './state.ts';

export const floorKey = 'floor';
const firstDelay = 100;
const longestDelay = 30_000;
const shortageDelay = 1000;

/** The newest assigned revision recorded in the data file; 1 in a new file. */
export function lastRevision(environment: Environment): number {
  return Math.max(environment.log.lastKey() ?? 0, environment.meta.get(floorKey, readNumber) ?? 0, 1);
}

export interface RecoveryOptions {
  readonly state: StoreState;
  readonly reader: Reader;
  readonly clock: ProcessClock;
  readonly guard: SpaceGuard;
  readonly path: string;
  readonly open: OpenEnvironment;
  /** Called with changes that turned out to be durable. */
  readonly committed: (events: readonly StoreEvent[], revision: number) => void;
  /** Called when writes work again. */
  readonly resume: () => void;
  /** Called when the store has failed permanently, for reads and writes. */
  readonly fatal: (error: Error) => void;
}

/**
 * Recovers from a failed commit: reopens the data file, publishes the changes that were committed, and then
 * retries a small commit with back-off until one succeeds. That commit records the highest assigned revision,
 * so that no revision is assigned twice.
 */
export class Recovery {
  #delay = firstDelay;
  #cancel: (() => void) | undefined;
  #probing: Promise<void> | undefined;

  constructor(private readonly options: RecoveryOptions) {}

  /** Resolves when the store is readable again or has failed permanently. */
  async recover(error: Error): Promise<void> {
    const { state } = this.options;
    state.reopening = this.#reopen(error);
    await state.reopening;
    state.reopening = undefined;
    if (!state.unreadable && !state.closed) this.#schedule();
  }

  async stop(): Promise<void> {
    this.#cancel?.();
    this.#cancel = undefined;
    await this.#probing;
  }

  async #reopen(cause: Error): Promise<void> {
    const { state, path, open } = this.options;
    try {
      await state.environment.close();
      const problem = inspectDataFile(path);
      if (problem) throw new Error(`the file ${problem}`);
      state.environment = await open(path);
      if (state.environment.owner()?.epoch !== state.epoch)
        throw new Error('another process has taken over the data directory');
      state.committing = false;
      await this.#publishCommitted();
    } catch (error) {
      const message = `${path} cannot be used after a failed commit (${cause.message}): ${(error as Error).message}; correct that and start the server again`;
      state.unreadable = new StorageUnavailableError(message);
      state.failure = state.unreadable;
      this.options.fatal(state.unreadable);
    }
  }

  async #publishCommitted(): Promise<void> {
    const { state, reader } = this.options;
    const last = lastRevision(state.environment);
    state.assigned = Math.max(state.assigned, last);
    while (state.revision < last) {
      const slice = reader.history(state.revision + 1, last);
      this.options.committed(slice.events, slice.next - 1);
      await yieldToEventLoop();
    }
  }

  #schedule(): void {
    this.#retryAfter(this.#delay);
    this.#delay = Math.min(this.#delay * 2, longestDelay);
  }

  #retryAfter(delay: number): void {
    this.#cancel = this.options.clock.after(delay, () => {
      this.#cancel = undefined;
      this.#probing = this.#probe();
    });
  }

  async #probe(): Promise<void> {
    const { state, guard } = this.options;
    const shortage = guard.shortage(true) ?? guard.reserve(growthOf(1), 'compact');
    if (shortage) {
      state.failure = shortage;
      // Checking the free space is cheap, so writes resume soon after space becomes available.
      this.#retryAfter(shortageDelay);
      return;
    }
    try {
      const { environment } = state;
      const written = await environment.commit(state.epoch, () =>
        environment.meta.put(floorKey, writeNumber(state.assigned)),
      );
      if (!written) throw new Error('another process has taken over the data directory');
    } catch (error) {
      await this.recover(error as Error);
      return;
    }
    this.#delay = firstDelay;
    state.failure = undefined;
    if (!state.closed) this.options.resume();
  }
}
