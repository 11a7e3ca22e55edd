import type { ClusterClock } from '../../time/clock.ts';
import type { RuleName } from '../filters/filter.ts';
import type { PendingPod } from '../objects/pending-pod.ts';
import { podKey } from '../objects/pod-info.ts';
import type { ClusterEvent } from './cluster-event.ts';
import { byBackOff, byTurn, endOfBackOff, type Place, type QueuedPod } from './entry.ts';
import { Heap } from './heap.ts';
import { mayHelp, rulesOf } from './hints.ts';
import { QueueTimer } from './queue-timer.ts';

/** A rejected pod is tried again after this time if no event did it before. */
const LONGEST_WAIT = 5 * 60_000;
/** Events that are kept for a pod that is being scheduled; with more it is tried again. */
const MOST_MISSED = 256;

export interface SchedulingQueueOptions {
  readonly clock: Pick<ClusterClock, 'now' | 'after'>;
  /** The rule that holds a pod back before it is tried; undefined for none. */
  readonly heldBy: (pod: PendingPod) => RuleName | undefined;
  /** There is a pod for {@link SchedulingQueue.next}. */
  readonly onReady: () => void;
}

/**
 * The pods that have no node. The most important is next, then the one that waits for longest. A pod that was rejected
 * waits for an event that may help it and for the end of its back-off. Their number is that of the pods.
 */
export class SchedulingQueue {
  readonly #options: SchedulingQueueOptions;
  readonly #entries = new Map<string, QueuedPod>();
  readonly #ready = new Heap<QueuedPod>(byTurn);
  readonly #backingOff = new Heap<QueuedPod>(byBackOff);
  /** Pods that wait for an event, the one that was rejected first in front. */
  readonly #waiting = new Set<QueuedPod>();
  readonly #waitingByRule = new Map<RuleName, Set<QueuedPod>>();
  readonly #inFlight = new Set<QueuedPod>();
  readonly #timer: QueueTimer;
  #order = 0;

  constructor(options: SchedulingQueueOptions) {
    this.#options = options;
    this.#timer = new QueueTimer(options.clock, () => this.#timeHasPassed());
  }

  /** How many pods have no node. */
  get size(): number {
    return this.#entries.size;
  }

  get hasNext(): boolean {
    return this.#ready.size > 0;
  }

  /** A pod of the queue. @param key `namespace/name` */
  pod(key: string): PendingPod | undefined {
    return this.#entries.get(key)?.pod;
  }

  /** The number of pods in each place. */
  counts(): Readonly<Record<Place, number>> {
    const counts = { ready: 0, backingOff: 0, waiting: 0, held: 0, inFlight: 0 };
    for (const { place } of this.#entries.values()) counts[place] += 1;
    return counts;
  }

  /** A pod is new or has changed. */
  put(pod: PendingPod): void {
    const key = podKey(pod.info);
    const known = this.#entries.get(key);
    if (known !== undefined && known.pod.info.uid === pod.info.uid) {
      this.#update(known, pod);
      return;
    }
    if (known !== undefined) this.remove(key);
    const { clock } = this.#options;
    const entry: QueuedPod = {
      pod,
      place: 'held',
      attempts: 0,
      since: clock.now(),
      rules: new Set(),
      order: this.#order++,
      missed: undefined,
    };
    this.#entries.set(key, entry);
    this.#enqueue(entry);
  }

  /** A pod is gone or has a node. @param key `namespace/name` */
  remove(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#take(entry);
    this.#entries.delete(key);
    this.#arm();
  }

  /** The pod whose turn it is; its caller reports what became of it. */
  next(): QueuedPod | undefined {
    const entry = this.#ready.pop();
    if (entry === undefined) return undefined;
    entry.place = 'inFlight';
    entry.attempts += 1;
    entry.missed = [];
    this.#inFlight.add(entry);
    return entry;
  }

  /**
   * A pod was rejected: it waits for an event that may help it, unless one has come meanwhile.
   * @param rules that rejected it; none if something is wrong, and it is tried again after its back-off
   */
  reject(entry: QueuedPod, rules: ReadonlySet<RuleName>): void {
    if (entry.place !== 'inFlight' || this.#entries.get(podKey(entry.pod.info)) !== entry) return;
    const { missed } = entry;
    entry.missed = undefined;
    this.#inFlight.delete(entry);
    entry.since = this.#options.clock.now();
    entry.rules = rules;
    const isRetried =
      rules.size === 0 || missed === undefined || missed.some((event) => this.#helps(entry, event));
    if (isRetried) this.#retry(entry);
    else this.#wait(entry);
  }

  /** A rule holds a pod back that was its turn: that does not count as an attempt. */
  hold(entry: QueuedPod, rule: RuleName): void {
    if (entry.place !== 'inFlight' || this.#entries.get(podKey(entry.pod.info)) !== entry) return;
    this.#take(entry);
    entry.attempts -= 1;
    entry.missed = undefined;
    this.#hold(entry, rule);
  }

  /** Something happened that may help pods which wait. */
  happened(event: ClusterEvent): void {
    for (const entry of this.#entries.size === 0 ? [] : this.#candidates(event))
      if (this.#helps(entry, event)) this.#retry(entry);
    for (const entry of this.#inFlight) this.#remember(entry, event);
  }

  /** Tries a pod again at once. @param key `namespace/name` */
  activate(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    if (entry.place === 'inFlight') entry.missed = undefined;
    else if (entry.place === 'waiting' || entry.place === 'backingOff') this.#enqueue(entry);
  }

  /** Forgets all pods, and ends the timer. */
  clear(): void {
    this.#timer.stop();
    this.#entries.clear();
    this.#ready.clear();
    this.#backingOff.clear();
    this.#waiting.clear();
    this.#waitingByRule.clear();
    this.#inFlight.clear();
  }

  #update(entry: QueuedPod, pod: PendingPod): void {
    const event: ClusterEvent = { kind: 'self', before: entry.pod, after: pod };
    if (entry.place === 'inFlight') {
      entry.pod = pod;
      this.#remember(entry, event);
      return;
    }
    if (entry.place === 'waiting' || entry.place === 'held') {
      entry.pod = pod;
      if (this.#helps(entry, event)) this.#retry(entry);
      return;
    }
    const { place } = entry;
    this.#take(entry);
    entry.pod = pod;
    entry.place = place;
    (place === 'ready' ? this.#ready : this.#backingOff).push(entry);
  }

  /** Lets a pod have its turn, unless a rule holds it back. */
  #enqueue(entry: QueuedPod): void {
    this.#take(entry);
    const rule = this.#options.heldBy(entry.pod);
    if (rule !== undefined) this.#hold(entry, rule);
    else {
      entry.place = 'ready';
      this.#ready.push(entry);
      this.#options.onReady();
    }
    this.#arm();
  }

  #hold(entry: QueuedPod, rule: RuleName): void {
    entry.rules = new Set([rule]);
    entry.place = 'held';
    this.#index(entry);
  }

  #retry(entry: QueuedPod): void {
    if (endOfBackOff(entry) <= this.#options.clock.now()) {
      this.#enqueue(entry);
      return;
    }
    this.#take(entry);
    entry.place = 'backingOff';
    this.#backingOff.push(entry);
    this.#arm();
  }

  #wait(entry: QueuedPod): void {
    entry.place = 'waiting';
    this.#waiting.add(entry);
    this.#index(entry);
    this.#arm();
  }

  #take(entry: QueuedPod): void {
    if (entry.place === 'ready') this.#ready.delete(entry);
    else if (entry.place === 'backingOff') this.#backingOff.delete(entry);
    else if (entry.place === 'inFlight') this.#inFlight.delete(entry);
    else {
      this.#waiting.delete(entry);
      for (const rule of entry.rules) this.#waitingByRule.get(rule)?.delete(entry);
    }
  }

  #index(entry: QueuedPod): void {
    for (const rule of entry.rules) {
      const entries = this.#waitingByRule.get(rule);
      if (entries === undefined) this.#waitingByRule.set(rule, new Set([entry]));
      else entries.add(entry);
    }
  }

  /** The waiting pods that a rule rejected whose decision the event may change. */
  #candidates({ kind }: ClusterEvent): Set<QueuedPod> {
    const found = new Set<QueuedPod>();
    for (const rule of rulesOf(kind))
      for (const entry of this.#waitingByRule.get(rule) ?? []) found.add(entry);
    return found;
  }

  #helps({ pod, rules }: QueuedPod, event: ClusterEvent): boolean {
    for (const rule of rules) if (mayHelp(pod, rule, event)) return true;
    return false;
  }

  #remember(entry: QueuedPod, event: ClusterEvent): void {
    if (entry.missed === undefined) return;
    if (entry.missed.length < MOST_MISSED) entry.missed.push(event);
    else entry.missed = undefined;
  }

  #arm(): void {
    const [first] = this.#waiting;
    const backOff = this.#backingOff.first;
    this.#timer.set(
      Math.min(
        first === undefined ? Number.POSITIVE_INFINITY : first.since + LONGEST_WAIT,
        backOff === undefined ? Number.POSITIVE_INFINITY : endOfBackOff(backOff),
      ),
    );
  }

  #timeHasPassed(): void {
    const now = this.#options.clock.now();
    for (let entry = this.#backingOff.first; entry !== undefined; entry = this.#backingOff.first) {
      if (endOfBackOff(entry) > now) break;
      this.#enqueue(entry);
    }
    for (const entry of this.#waiting) {
      if (entry.since + LONGEST_WAIT > now) break;
      this.#enqueue(entry);
    }
    this.#arm();
  }
}
