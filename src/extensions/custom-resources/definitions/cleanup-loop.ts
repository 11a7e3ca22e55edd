import { CLEANUP_FINALIZER } from '../../../kinds/apiextensions/custom-resource-definition.ts';
import { type Condition, findCondition, isConditionTrue, setCondition } from '../../../model/conditions.ts';
import { formatTime } from '../../../model/time.ts';
import type { RecordView } from '../../../reader/record-view.ts';
import { controllerQueue, type WorkQueue, type WorkResult } from '../../../reconcile/work-queue.ts';
import type { LoopContext } from './control-loops.ts';
import type { Definition } from './definition.ts';
import type { InstanceStore } from './instance-store.ts';
import type { DefinitionWriter } from './write-status.ts';

/** How long a creation that was accepted before the deletion may take to reach the store. */
const SETTLE_MILLISECONDS = 100;
const POLL_MILLISECONDS = 5000;
/** When the condition says that objects are left. */
const REPORT_MILLISECONDS = 60_000;
const PAGE = 100;
const WORKERS = 4;

const terminating = (status: 'True' | 'False', reason: string, message: string): Condition => ({
  type: 'Terminating',
  status,
  reason,
  message,
});
const IN_PROGRESS = terminating(
  'True',
  'InstanceDeletionInProgress',
  'CustomResource deletion is in progress',
);
const COMPLETED = terminating('False', 'InstanceDeletionCompleted', 'removed all instances');
const NEVER_ESTABLISHED = terminating('False', 'NeverEstablished', 'resource was never established');
const OVERLAPPING = terminating(
  'False',
  'OverlappingBuiltInResource',
  'instances overlap with built-in resources in storage',
);
const TIMED_OUT = terminating(
  'True',
  'InstanceDeletionCheck',
  'could not confirm zero CustomResources remaining: timed out waiting for the condition',
);
const FAILED = 'InstanceDeletionFailed';
const failed = (what: string, error: unknown): Condition =>
  terminating('True', FAILED, `${what}: ${(error as Error).message}`);

/** The clean-up of one definition. Times in milliseconds. */
interface CleanUp {
  readonly started: number;
  readonly instances: InstanceStore;
  readonly stopFollowing: () => void;
  /** When all remaining objects are deleted again. */
  nextPass: number;
  cancelTimer: () => void;
}

export interface CleanUpOptions {
  readonly context: LoopContext;
  readonly definitions: RecordView<Definition>;
  readonly writer: DefinitionWriter;
  readonly instances: (definition: Definition) => InstanceStore;
  /** Whether objects of a built-in resource are stored in the same place. */
  readonly overlapsBuiltIn: (definition: Definition) => boolean;
}

/**
 * Deletes the objects of definitions that are being deleted, waits until none is left, and removes the
 * finalizer. Waiting definitions occupy no worker.
 */
export class CleanUpLoop {
  readonly queue: WorkQueue;
  readonly #options: CleanUpOptions;
  readonly #running = new Map<string, CleanUp>();
  /** First reports that are being written. */
  readonly #announced = new Map<string, Promise<void>>();
  #started = false;

  constructor(options: CleanUpOptions) {
    this.#options = options;
    this.queue = controllerQueue(options.context, 'crd_finalizer', (name) => this.#work(name), WORKERS);
    options.definitions.onChange((name, current, previous) => {
      if (current !== undefined && needsCleanUp(current) && !(previous && needsCleanUp(previous)))
        this.#announce(name, current);
      if (this.#running.has(name) || (current !== undefined && needsCleanUp(current))) this.queue.add(name);
    });
  }

  start(): void {
    this.#started = true;
    this.queue.start();
  }

  async stop(): Promise<void> {
    this.#started = false;
    await this.queue.stop();
    await Promise.all(this.#announced.values());
    for (const name of [...this.#running.keys()]) this.#end(name);
  }

  async #work(name: string): Promise<WorkResult> {
    const definition = this.#options.definitions.get(name);
    if (definition === undefined || !needsCleanUp(definition)) {
      this.#end(name);
      return 'done';
    }
    if (this.#options.overlapsBuiltIn(definition)) return this.#finish(name, OVERLAPPING);
    if (!isConditionTrue(definition.status.conditions, 'Established'))
      return this.#finish(name, NEVER_ESTABLISHED);
    const cleanUp = this.#running.get(name) ?? (await this.#begin(name, definition));
    await this.#pass(name, cleanUp);
    return this.#check(name, cleanUp);
  }

  /**
   * Reports the beginning without waiting for a worker, so that the next request of the client that deleted the
   * definition finds it, as with kube-apiserver. A failure is repeated by the worker.
   */
  #announce(name: string, definition: Definition): void {
    if (!this.#started || this.#announced.size >= WORKERS || this.#running.has(name)) return;
    if (hasProblem(definition) || !isConditionTrue(definition.status.conditions, 'Established')) return;
    if (this.#options.overlapsBuiltIn(definition)) return;
    const written = this.#report(name, IN_PROGRESS)
      .catch(() => undefined)
      .finally(() => this.#announced.delete(name));
    this.#announced.set(name, written);
  }

  async #begin(name: string, definition: Definition): Promise<CleanUp> {
    await this.#announced.get(name);
    // A problem stays visible until it is solved.
    if (!hasProblem(definition)) await this.#report(name, IN_PROGRESS);
    const instances = this.#options.instances(definition);
    const cleanUp: CleanUp = {
      started: this.#now(),
      instances,
      stopFollowing: instances.onRemoval(() => this.queue.add(name)),
      nextPass: this.#now(),
      cancelTimer: () => undefined,
    };
    this.#running.set(name, cleanUp);
    return cleanUp;
  }

  /** Deletes all objects, if that is due. */
  async #pass(name: string, cleanUp: CleanUp): Promise<void> {
    if (this.#now() < cleanUp.nextPass) return;
    let after = '';
    for (;;) {
      const keys = await this.#or(name, 'could not list instances', () =>
        cleanUp.instances.keys(after, PAGE),
      );
      await this.#or(name, 'could not issue all deletes', () =>
        Promise.all(keys.map((key) => cleanUp.instances.delete(key))),
      );
      if (keys.length < PAGE) break;
      after = keys.at(-1)!;
    }
    cleanUp.nextPass = this.#now() + POLL_MILLISECONDS;
    await this.#report(name, IN_PROGRESS, FAILED);
  }

  /** Reports a failed step in the condition. */
  async #or<Result>(name: string, what: string, step: () => Promise<Result>): Promise<Result> {
    try {
      return await step();
    } catch (error) {
      this.#end(name);
      await this.#report(name, failed(what, error));
      throw error;
    }
  }

  async #check(name: string, cleanUp: CleanUp): Promise<WorkResult> {
    const running = this.#now() - cleanUp.started;
    if (running < SETTLE_MILLISECONDS) return this.#again(name, cleanUp, SETTLE_MILLISECONDS - running);
    if ((await cleanUp.instances.keys('', 1)).length === 0) return this.#finish(name, COMPLETED);
    if (running >= REPORT_MILLISECONDS) await this.#report(name, TIMED_OUT, IN_PROGRESS.reason);
    return this.#again(name, cleanUp, cleanUp.nextPass - this.#now());
  }

  #again(name: string, cleanUp: CleanUp, milliseconds: number): WorkResult {
    cleanUp.cancelTimer();
    cleanUp.cancelTimer = this.#options.context.clock.after(milliseconds, () => this.queue.add(name));
    return 'done';
  }

  async #finish(name: string, condition: Condition): Promise<WorkResult> {
    await this.#options.writer.write(name, (stored) =>
      needsCleanUp(stored)
        ? {
            status: this.#withCondition(stored, condition),
            finalizers: stored.finalizers.filter((finalizer) => finalizer !== CLEANUP_FINALIZER),
          }
        : undefined,
    );
    this.#end(name);
    return 'done';
  }

  /** Sets the condition. @param instead if set, replaces only a condition with this reason */
  async #report(name: string, condition: Condition, instead?: string): Promise<void> {
    const isDue = (definition: Definition): boolean =>
      needsCleanUp(definition) && (instead === undefined || reasonOf(definition) === instead);
    const known = this.#options.definitions.get(name);
    if (known === undefined || !isDue(known)) return;
    await this.#options.writer.write(name, (stored) =>
      isDue(stored) ? { status: this.#withCondition(stored, condition) } : undefined,
    );
  }

  #withCondition({ status }: Definition, condition: Condition): Definition['status'] {
    const now = formatTime(this.#options.context.clusterClock.now());
    return { ...status, conditions: setCondition(status.conditions, condition, now) };
  }

  #end(name: string): void {
    const cleanUp = this.#running.get(name);
    cleanUp?.cancelTimer();
    cleanUp?.stopFollowing();
    this.#running.delete(name);
  }

  #now(): number {
    return this.#options.context.clock.now();
  }
}

const needsCleanUp = ({ deleted, finalizers }: Definition): boolean =>
  deleted && finalizers.includes(CLEANUP_FINALIZER);

const reasonOf = ({ status }: Definition): string | undefined =>
  findCondition(status.conditions, 'Terminating')?.reason;

const hasProblem = (definition: Definition): boolean =>
  [FAILED, TIMED_OUT.reason].includes(reasonOf(definition) ?? '');
