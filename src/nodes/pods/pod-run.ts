import type { Container, Pod } from '../../model/generated/core-v1.ts';
import type { AdvanceOptions, Occurrence, PodTimes } from './advance.ts';
import { type AskedFailure, behaviorOf, type PodBehavior } from './behavior.ts';
import { begin, end, restartLater, restartsAfter, withoutRestart } from './container-life.ts';
import { endOfRun } from './container-run.ts';
import { dueAt } from './delay.ts';
import {
  type ContainerRole,
  containersOf,
  type EndedRun,
  type KnownContainer,
  newContainer,
  type PodEnd,
  type PodKnowledge,
} from './knowledge.ts';
import { KILLED, stopsOf, TERMINATED } from './stop.ts';

const SECOND = 1000;
/** A node says nothing of a Pod that starts within so many milliseconds: its first status is that of the start. */
const SILENCE = SECOND;

type Exit = Pick<EndedRun, 'exitCode' | 'reason' | 'message'>;

const TOLD_TO_STOP: Exit = { exitCode: TERMINATED, reason: 'Error', message: undefined };
const SIDECAR_DONE: Exit = { exitCode: 0, reason: 'Completed', message: undefined };

const DEADLINE_EXCEEDED = {
  reason: 'DeadlineExceeded',
  message: 'Pod was active on the node longer than the specified deadline',
};

/** One step of a Pod on its node: makes everything happen that is due, and then has what the node knows. */
export class PodRun {
  readonly behavior: PodBehavior;
  readonly occurrences: Occurrence[] = [];
  readonly #pod: Pod;
  readonly #times: PodTimes;
  readonly #now: number;
  readonly #specs: readonly { readonly container: Container; readonly role: ContainerRole }[];
  readonly #known: PodKnowledge;
  readonly #containers: KnownContainer[];
  #end: PodEnd | undefined;
  #stoppingSince: number | undefined;
  #failingSince: number | undefined;
  #killed: string | undefined;
  #due = Number.POSITIVE_INFINITY;

  constructor({ pod, known, times, missingImages, now }: Omit<AdvanceOptions, 'status'>) {
    this.#pod = pod;
    this.#times = times;
    this.#now = now;
    this.#known = known;
    this.#specs = containersOf(pod);
    const behavior = behaviorOf(pod);
    const lacksImage = this.#specs.some(({ container }) => missingImages.has(container.image ?? ''));
    this.behavior =
      lacksImage && behavior.start === 'normal' ? { ...behavior, start: 'image-error' } : behavior;
    // Ephemeral containers are added to Pods that run.
    this.#containers = this.#specs.map(
      ({ container, role }, index) => known.containers[index] ?? newContainer(container, role),
    );
    this.#end = known.end;
    this.#stoppingSince = known.stoppingSince;
    this.#failingSince = known.failingSince;
    this.#killed = known.killed;
  }

  /** What the node knows now. */
  get knowledge(): PodKnowledge {
    return {
      ...this.#known,
      containers: this.#containers,
      stoppingSince: this.#stoppingSince,
      failingSince: this.#failingSince,
      killed: this.#killed,
      end: this.#end,
    };
  }

  /** When there is more to do. */
  get due(): number | undefined {
    return Number.isFinite(this.#due) ? this.#due : undefined;
  }

  /** The node says nothing of the Pod: it starts soon, or it is removed before it has started. */
  get isSilent(): boolean {
    if (this.#end?.isRejected === true) return false;
    if (this.#containers.some(hasBegun)) return false;
    if (this.#isDeleted || this.#end !== undefined) return this.#end?.reason === undefined;
    const start = this.#startsAt();
    return this.#now < start && start - this.#known.since < SILENCE;
  }

  /** The Pod is to be removed from the API: it is marked as deleted, has ended, and is not held by finalizers. */
  get isRemoved(): boolean {
    const { deletionGracePeriodSeconds, finalizers = [] } = this.#pod.metadata ?? {};
    const isHeld = deletionGracePeriodSeconds === 0 && finalizers.length > 0;
    return this.#isDeleted && this.#end !== undefined && !isHeld;
  }

  /** Makes happen what is due. */
  advance(): void {
    this.#follow();
    if (this.#end !== undefined) return;
    if (this.#isDeleted) this.#stop();
    else this.#live();
  }

  get #isDeleted(): boolean {
    return this.#pod.metadata?.deletionTimestamp !== undefined;
  }

  /** Another client has ended the Pod: its node stops the containers and keeps that phase. */
  #follow(): void {
    const { phase, reason, message } = this.#pod.status ?? {};
    if (this.#end !== undefined || (phase !== 'Succeeded' && phase !== 'Failed')) return;
    this.#finish({ phase, reason, message, isRejected: false }, TOLD_TO_STOP);
  }

  #live(): void {
    if (this.#endIfAsked() || this.behavior.start !== 'normal') return;
    if (!this.#isDue(this.#startsAt())) return;
    while (this.#progress() || this.#kill());
    if (this.#failIfAsked('main', this.behavior.failure)) return;
    this.#settle();
    this.#flap();
  }

  /** Ends a Pod whose time is over, or that is told to fail. @returns whether it ended */
  #endIfAsked(): boolean {
    const { reject, fail, start, initFailure } = this.behavior;
    if (this.#isDue(this.#deadline())) this.#fail(DEADLINE_EXCEEDED);
    else if (this.#failIfAsked('init', initFailure)) return true;
    else if (!this.#isDue(this.#startsAt())) return false;
    else if (reject !== undefined) this.#reject(reject);
    else if (fail !== undefined) this.#fail({ reason: fail, message: 'The pod was told to fail' });
    else if (start === 'image-error')
      for (const index of this.#containers.keys()) this.#occurred('image-back-off', index);
    return this.#end !== undefined;
  }

  /** When the first container starts. */
  #startsAt(): number {
    const { since } = this.#known;
    const { readyDelay } = this.behavior;
    return readyDelay === undefined || readyDelay === 'never'
      ? since + this.#times.readyDelay
      : dueAt(readyDelay, since);
  }

  #deadline(): number {
    const { activeDeadlineSeconds } = this.#pod.spec ?? {};
    return activeDeadlineSeconds === undefined
      ? Number.POSITIVE_INFINITY
      : this.#known.since + activeDeadlineSeconds * SECOND;
  }

  /** Whether a time has come; if not, there is more to do then. */
  #isDue(time: number): boolean {
    if (time <= this.#now) return true;
    this.#due = Math.min(this.#due, time);
    return false;
  }

  #reject(reason: string): void {
    this.#end = { phase: 'Failed', reason, message: `Pod was rejected: ${reason}`, isRejected: true };
  }

  #fail({ reason, message }: { reason: string; message: string }): void {
    this.#finish({ phase: 'Failed', reason, message, isRejected: false }, TOLD_TO_STOP);
  }

  /** Ends the Pod: what still runs ends so, and nothing begins again. */
  #finish(podEnd: PodEnd, exit: Exit): void {
    for (const [index, known] of this.#containers.entries())
      this.#containers[index] = withoutRestart(
        known.startedAt === undefined ? known : end(known, exit, this.#now),
      );
    this.#end = podEnd;
    this.#due = Number.POSITIVE_INFINITY;
  }

  /**
   * A label asks for a failure of containers, which ends the Pod whatever its restart policy: of init containers while
   * it is pending, of main ones while they run. @returns whether it ended
   */
  #failIfAsked(role: 'init' | 'main', failure: AskedFailure | undefined): boolean {
    const has = (index: number): boolean => this.#specs[index]!.role === role;
    const isPending = !this.#containers.some((known) => known.role === 'main' && hasBegun(known));
    if (failure === undefined || isPending !== (role === 'init')) return false;
    if (role === 'init' && !this.#specs.some((_, index) => has(index))) return false;
    this.#failingSince ??= this.#now;
    if (!this.#isDue(dueAt(failure.delay, this.#failingSince))) return false;
    for (const [index, known] of this.#containers.entries())
      if (has(index) && (failure.container === undefined || failure.container === known.name))
        this.#containers[index] = end(known, failure, this.#now);
    // The other containers are left as they are, as kwok does it.
    this.#end = { phase: 'Failed', reason: undefined, message: undefined, isRejected: false };
    this.#due = Number.POSITIVE_INFINITY;
    return true;
  }

  /** An annotation asks to kill the running main containers, once for each of its values. @returns whether it did */
  #kill(): boolean {
    const { kill } = this.behavior;
    if (kill === this.#killed) return false;
    const running = this.#containers.flatMap(({ role, startedAt }, index) =>
      role === 'main' && startedAt !== undefined ? [index] : [],
    );
    if (kill !== undefined && running.length === 0) return false;
    this.#killed = kill;
    if (kill === undefined) return false;
    for (const index of running) this.#exit(index, { exitCode: KILLED, reason: kill, message: undefined });
    return true;
  }

  /** Lets the next thing happen that is due. @returns whether something did */
  #progress(): boolean {
    let isInitialized = true;
    for (const [index, { role }] of this.#containers.entries()) {
      if (!isInitialized && role !== 'ephemeral') return false;
      if (this.#advanceContainer(index)) return true;
      if (role === 'init' || role === 'sidecar') isInitialized &&= isInitialization(this.#containers[index]!);
    }
    return false;
  }

  /** @returns whether something happened */
  #advanceContainer(index: number): boolean {
    const known = this.#containers[index]!;
    const { container } = this.#specs[index]!;
    const image = container.image ?? '';
    if (known.startedAt === undefined) {
      if (known.ended === undefined || (known.restartsAt !== undefined && this.#isDue(known.restartsAt))) {
        this.#containers[index] = begin(known, image, this.#now);
        this.#occurred('created', index);
        this.#occurred('started', index);
        return true;
      }
      return false;
    }
    if (known.image !== image && known.role !== 'init') {
      this.#replace(index, image);
      return true;
    }
    const runEnd = endOfRun(this.#pod, this.behavior, container, known, this.#times.completeDelay);
    if (runEnd === undefined || !this.#isDue(runEnd.at)) return false;
    this.#exit(index, runEnd);
    return true;
  }

  /** The image of a running container was changed: it begins again at once with the new one. */
  #replace(index: number, image: string): void {
    this.#occurred('definition-changed', index);
    const stopped = end(this.#containers[index]!, TOLD_TO_STOP, this.#now);
    this.#containers[index] = begin(stopped, image, this.#now);
    this.#occurred('created', index);
    this.#occurred('started', index);
  }

  #exit(index: number, exit: Exit): void {
    const ended = end(this.#containers[index]!, exit, this.#now);
    const restarts = restartsAfter(ended.role, this.#pod.spec?.restartPolicy, exit.exitCode);
    this.#containers[index] = restarts ? restartLater(ended, this.#times.restartBackOff) : ended;
    if (this.#containers[index]!.backOff > 0) this.#occurred('back-off', index);
  }

  /** Ends the Pod when an init container has failed for good, or when all main containers have ended for good. */
  #settle(): void {
    const isOver = (known: KnownContainer): boolean =>
      known.ended !== undefined && known.restartsAt === undefined;
    const failedInit = this.#containers.some(
      (known) => known.role === 'init' && isOver(known) && known.ended!.exitCode !== 0,
    );
    const main = this.#containers.filter(({ role }) => role === 'main');
    if (!failedInit && !main.every(isOver)) return;
    const succeeded = !failedInit && main.every(({ ended }) => ended!.exitCode === 0);
    this.#finish(
      { phase: succeeded ? 'Succeeded' : 'Failed', reason: undefined, message: undefined, isRejected: false },
      SIDECAR_DONE,
    );
  }

  /** Readiness changes again at the end of a period. */
  #flap(): void {
    const { flapping } = this.behavior;
    if (flapping === undefined || this.#end !== undefined) return;
    const periods = Math.floor((this.#now - this.#known.since) / flapping);
    this.#isDue(this.#known.since + (periods + 1) * flapping);
  }

  /** The Pod is being deleted: its containers end in order, none begins again. */
  #stop(): void {
    if (this.#stoppingSince === undefined) {
      this.#stoppingSince = this.#now;
      for (const [index, known] of this.#containers.entries())
        if (known.startedAt !== undefined) this.#occurred('killing', index);
    }
    const stops = stopsOf(
      this.#specs.map(({ container }, index) => ({ container, known: this.#containers[index]! })),
      {
        behavior: this.behavior,
        stopDelay: this.#times.stopDelay,
        since: this.#stoppingSince,
        grace: (this.#pod.metadata?.deletionGracePeriodSeconds ?? 0) * SECOND,
      },
    );
    let isRunning = false;
    for (const [index, { at, exitCode }] of stops.entries()) {
      const known = withoutRestart(this.#containers[index]!);
      const stops = known.startedAt !== undefined && this.#isDue(at);
      this.#containers[index] = stops ? end(known, { ...TOLD_TO_STOP, exitCode }, this.#now) : known;
      isRunning ||= known.startedAt !== undefined && !stops;
    }
    if (isRunning) return;
    const succeeded = this.#containers.every(({ role, ended }) => role !== 'main' || ended?.exitCode === 0);
    this.#end = {
      phase: succeeded ? 'Succeeded' : 'Failed',
      reason: undefined,
      message: undefined,
      isRejected: false,
    };
  }

  #occurred(what: Occurrence['what'], index: number): void {
    const { name, image } = this.#containers[index]!;
    this.occurrences.push({ what, container: name, image });
  }
}

const hasBegun = ({ startedAt, ended, previous }: KnownContainer): boolean =>
  startedAt !== undefined || ended !== undefined || previous !== undefined;

/** Whether an init container lets the next container begin: it has succeeded, or runs or has run beside the others. */
function isInitialization(known: KnownContainer): boolean {
  return known.role === 'sidecar' ? hasBegun(known) : known.ended?.exitCode === 0;
}
