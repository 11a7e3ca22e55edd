import type { MaybePromise } from '../steps/steps.ts';
import type { ProcessClock } from '../time/clock.ts';
import type { Controller } from './controller.ts';
import type { AwaitedResource, StoredPresence } from './presence.ts';

/** Milliseconds without objects after which a controller lets its sources go. */
const EMPTY_MILLISECONDS = 30_000;

export interface LazyControllerOptions {
  /** The controller runs while objects of any of these are stored; always without them. */
  readonly wakesFor: readonly AwaitedResource[];
  readonly presence: StoredPresence;
  readonly clock: Pick<ProcessClock, 'after'>;
  /**
   * Creates the controller, once for each time that it runs.
   * @param removed to be called when an object of a resource has been removed
   */
  create(removed: () => void): MaybePromise<Controller>;
  /** The controller could not be created, or the store could not be asked what is left. */
  readonly onError: (error: unknown) => void;
}

/**
 * A controller that exists only while there are objects for it: before and after that it holds no source, no cache
 * and no timer.
 */
export class LazyController {
  readonly #options: LazyControllerOptions;
  #running: Controller | undefined;
  /** Its sources do not know all objects yet. */
  #waking = false;
  #stopped = true;
  #endings: (() => void)[] = [];
  #cancelLook: (() => void) | undefined;
  /** Starts and stops one after another. */
  #changes: Promise<void> = Promise.resolve();

  constructor(options: LazyControllerOptions) {
    this.#options = options;
  }

  /** Whether it waits for objects, or its sources know all of them: its queue says the rest. */
  get isSettled(): boolean {
    return !this.#waking;
  }

  start(): void {
    if (!this.#stopped) return;
    this.#stopped = false;
    this.#wait();
  }

  /** Resolves when in-flight work is done. It can be started again. */
  stop(): Promise<void> {
    this.#stopped = true;
    this.#endWaiting();
    this.#change(() => this.#end());
    return this.#changes;
  }

  /** A source cannot be read at present: nothing is waited for. */
  failed(): void {
    this.#waking = false;
  }

  #wait(): void {
    const { wakesFor, presence } = this.#options;
    if (wakesFor.length === 0) this.#wake();
    else this.#endings = wakesFor.map((resource) => presence.whenAny(resource, () => this.#wake()));
  }

  #endWaiting(): void {
    for (const end of this.#endings) end();
    this.#endings = [];
    this.#cancelLook?.();
    this.#cancelLook = undefined;
  }

  #wake(): void {
    this.#endWaiting();
    this.#waking = true;
    this.#change(() => this.#begin());
  }

  async #begin(): Promise<void> {
    if (this.#stopped || this.#running !== undefined) return this.failed();
    const controller = await this.#options.create(() => this.#removed());
    this.#running = controller;
    void this.#run(controller);
  }

  /** Starts the queue after all sources have synced. */
  async #run({ sources, queue }: Controller): Promise<void> {
    for (const source of sources) source.start();
    for (const source of sources) await source.synced;
    queue.start();
    this.#waking = false;
  }

  async #end(): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    this.#waking = false;
    if (running === undefined) return;
    await Promise.all([...running.sources.map((source) => source.stop()), running.queue.stop()]);
  }

  #removed(): void {
    if (this.#stopped || this.#options.wakesFor.length === 0) return;
    this.#cancelLook ??= this.#options.clock.after(EMPTY_MILLISECONDS, () => {
      this.#cancelLook = undefined;
      this.#change(() => this.#rest());
    });
  }

  /** Ends if nothing is left. If something is, the next removal asks again. */
  async #rest(): Promise<void> {
    const { wakesFor, presence } = this.#options;
    if (this.#running === undefined) return;
    if (!this.#running.queue.isIdle) return this.#removed();
    for (const resource of wakesFor) if (await presence.hasAny(resource)) return;
    if (this.#stopped) return;
    await this.#end();
    if (!this.#stopped) this.#wait();
  }

  #change(change: () => Promise<void>): void {
    this.#changes = this.#changes.then(change).catch((error: unknown) => {
      this.failed();
      this.#options.onError(error);
    });
  }
}
