import { ApiError } from '../status/index.ts';
import { RevocableStorage } from '../storage/revocable-storage.ts';
import { OutcomeUnknownError, StorageUnavailableError, StoreReplacedError } from '../storage/storage.ts';
import { holdingClock, processClock } from '../time/clock.ts';
import { yieldToEventLoop } from '../time/event-loop.ts';
import { pause } from '../time/pause.ts';
import { afterFirstChange } from './first-change.ts';
import { Parts } from './parts.ts';
import { type QuiescenceParts, quiescent } from './quiescence.ts';
import { claimStore } from './release/claim-release.ts';
import { BOOTSTRAP_CHECK, type RequestGate } from './request-gate.ts';
import type { ServerHealth } from './server-health.ts';
import { openAccess } from './start/open-access.ts';
import { openObjects } from './start/open-objects.ts';
import { openRequests } from './start/open-requests.ts';
import type { Server } from './start/open-server.ts';
import type { Store } from './start/open-store.ts';
import type { StartContext } from './start/start-context.ts';
import { startLoops } from './start/start-loops.ts';
import { waitForStorage } from './wait-for-storage.ts';

/** Between attempts to start again, in milliseconds. */
const PAUSE = 1000;

/** What stays when the cluster starts again. */
export interface ClusterOptions {
  readonly start: StartContext;
  readonly server: Server;
  readonly store: Store;
  /** Answers requests until the cluster serves them, and while it starts again. */
  readonly gate: RequestGate;
}

/**
 * A cluster: every part whose state comes from the store. Caches, kinds, allocators, access,
 * bootstrap objects, the request chain, controllers and leases are started together and are stopped together.
 *
 * When the store turns out to be another one (emptied, restored from a backup, another etcd cluster), what these
 * parts know is void: the cluster starts again from the state of the store. At once, they can neither read nor write
 * any more; watches end with 410, requests get 503 with `Retry-After`, and `/readyz` fails until the new parts serve.
 */
export class Cluster {
  readonly #options: ClusterOptions;
  readonly #unsubscribe: () => void;
  /** The parts in use, and what takes the store from them. */
  #parts: Parts;
  #revoke: (reason: StoreReplacedError) => void = () => undefined;
  /** The store was replaced after the parts in use, or those that are starting, began to read it. */
  #replaced: StoreReplacedError | undefined;
  #opened = false;
  #restarting: Promise<void> | undefined;
  #stopped = false;
  #quiescence: QuiescenceParts | undefined;
  /** The start of the loops; undefined while they wait for the first change. */
  #waking: Promise<void> | undefined;
  #isAwake = false;
  #health: ServerHealth | undefined;

  constructor(options: ClusterOptions) {
    this.#options = options;
    this.#parts = new Parts(options.start.logger);
    const stop = options.store.storage.onReplaced?.((error) => this.restart(error));
    this.#unsubscribe = stop ?? (() => undefined);
  }

  /** Starts the parts; resolves once requests are accepted. @throws Error if a part fails to start */
  async open(): Promise<void> {
    const { start, store, gate } = this.#options;
    await waitForStorage(store.storage, gate, start.logger);
    await store.encrypted.waitForKeys(gate);
    await this.#openParts(false);
    this.#opened = true;
    start.lifecycle.restarting = false;
  }

  /**
   * Starts again from the state of the store. An error that does not pass ends the server with one line.
   * @param reason why everything that was read before is void
   */
  restart(reason: StoreReplacedError): void {
    const { start, gate } = this.#options;
    if (this.#stopped) return;
    start.logger.warn('the store was replaced; starting again from its state', { err: reason.message });
    this.#replaced = reason;
    start.lifecycle.restarting = true;
    gate.waitFor(BOOTSTRAP_CHECK);
    this.#revoke(reason);
    if (!this.#opened) return;
    this.#restarting ??= this.#restart(reason).finally(() => {
      this.#restarting = undefined;
    });
  }

  /**
   * Resolves when the cluster does nothing of its own accord; see {@link quiescent}.
   * @throws Error before the cluster has started
   */
  async quiescent(): Promise<void> {
    if (this.#quiescence === undefined) throw new Error('the cluster has not started');
    // The loops start after the change that they have to see.
    if (this.#waking === undefined) await yieldToEventLoop();
    await this.#waking;
    await quiescent(this.#quiescence);
  }

  /**
   * Whether nothing waits to be done at this moment, as far as can be told at once: the loops have not had to start, or
   * they and all requests inside the process are idle.
   */
  get isSettled(): boolean {
    return this.#waking === undefined || (this.#isAwake && this.#quiescence?.activity.isIdle === true);
  }

  /** The checks of `/readyz` that fail now, each as `name: reason`; see {@link ServerHealth.failing}. */
  async failing(): Promise<readonly string[]> {
    if (this.#health === undefined || this.#options.start.lifecycle.restarting)
      return [`${BOOTSTRAP_CHECK}: not finished`];
    return this.#health.failing();
  }

  /** Resolves when a restart that has begun is over. */
  async restarted(): Promise<void> {
    await this.#restarting;
  }

  /** Stops the parts, the last one first. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#unsubscribe();
    if (this.#restarting !== undefined) this.#revoke(new StoreReplacedError('the server stops'));
    await this.#restarting;
    await this.#parts.stop();
  }

  async #restart(reason: StoreReplacedError): Promise<void> {
    const { logger, lifecycle, termination } = this.#options.start;
    const begin = processClock.monotonic();
    try {
      await this.#parts.stop();
      await this.#openParts(true);
      if (this.#stopped) return;
      logger.info('started again from the state of the store', {
        milliseconds: Math.round(processClock.monotonic() - begin),
      });
    } catch (error) {
      termination.fail(
        new Error(
          `the store was replaced (${reason.message}), and the server cannot start again from its state: ${(error as Error).message}`,
        ),
      );
    } finally {
      lifecycle.restarting = false;
    }
  }

  /** Opens the parts until they have started on a store that was not replaced meanwhile. */
  async #openParts(again: boolean): Promise<void> {
    const { start, store, gate } = this.#options;
    const { logger } = start;
    while (!this.#stopped) {
      const mustWait = again || this.#replaced !== undefined;
      this.#replaced = undefined;
      if (mustWait) {
        await waitForStorage(store.storage, gate, logger, () => this.#stopped);
        if (this.#stopped) return;
      }
      this.#parts = new Parts(logger);
      try {
        await this.#openOnce({ ...start, parts: this.#parts }, again);
        if (!this.#isReplaced()) return;
      } catch (error) {
        if (!this.#isReplaced() && !(again && isTransient(error))) throw error;
        if (!this.#stopped)
          logger.warn('failed to start again from the state of the store; trying again', {
            err: (error as Error).message,
          });
      }
      if (this.#stopped) return;
      await this.#parts.stop();
      await pause(PAUSE, holdingClock);
    }
  }

  #isReplaced(): boolean {
    return this.#replaced !== undefined;
  }

  async #openOnce(start: StartContext, again: boolean): Promise<void> {
    const { server, gate } = this.#options;
    const store = this.#lend();
    await claimStore(start, server, store);
    const access = await openAccess(start, server, store);
    const objects = await openObjects(start, server, store, access);
    if (again && objects.unreadable !== undefined) throw objects.unreadable;
    const { resources } = access;
    const revoke = this.#revoke;
    this.#revokeBy((reason) => {
      revoke(reason);
      // Also those of caches that are being filled.
      resources.endAllWatches(reason);
    });
    const chain = await openRequests(start, server, store, gate, access, objects);
    const run = () => startLoops(start, server, store, access, objects, chain);
    // A cluster that starts again has the state of another one, in which something may wait.
    if (again || start.further?.isSettled !== true) await this.#wake(run);
    else {
      objects.health.finish('loops');
      await start.parts.use(
        'first change',
        () => afterFirstChange(store.storage, () => this.#wake(run)),
        (stop) => stop(),
      );
    }
    this.#health = objects.health;
    this.#quiescence = { resources, storage: store.storage, activity: chain.activity };
  }

  /** Starts the loops. An error ends the cluster, as at its start. */
  #wake(run: () => Promise<void>): Promise<void> {
    this.#waking = run().then(
      () => {
        this.#isAwake = true;
      },
      (error: Error) => this.#options.start.termination.fail(error),
    );
    return this.#waking;
  }

  /** V8 puts a function that is assigned where it is written among old objects, where it keeps the cluster. */
  #revokeBy(revoke: (reason: StoreReplacedError) => void): void {
    this.#revoke = revoke;
  }

  /** The store can be taken from the parts if it can be replaced. */
  #lend(): Store {
    const { store } = this.#options;
    if (store.storage.onReplaced === undefined) return store;
    const storage = new RevocableStorage(store.storage);
    const unencrypted =
      store.unencrypted === store.storage ? storage : new RevocableStorage(store.unencrypted);
    this.#revokeBy((reason) => {
      storage.revoke(reason);
      unencrypted.revoke(reason);
    });
    return { ...store, storage, unencrypted };
  }
}

/** Whether the store may answer later. */
const isTransient = (error: unknown): boolean =>
  error instanceof StorageUnavailableError ||
  error instanceof StoreReplacedError ||
  error instanceof OutcomeUnknownError ||
  (error instanceof ApiError && (error.code === 503 || error.code === 504));
