import type { KubernetesObject } from '../../model/object.ts';
import type { Logger } from '../../observability/log.ts';
import { ApiError } from '../../status/index.ts';
import type { ProcessClock } from '../../time/clock.ts';
import type { Resource, Writer } from '../client.ts';
import { type QueueContext, WorkQueue, type WorkQueueObserver } from '../work-queue.ts';

/** Events that are written at the same time. */
const WORKERS = 8;
/** Events that wait to be written; another one is dropped. */
const MOST_WAITING = 10_000;
/** Attempts to write an event, as in client-go; then it is dropped. */
const MOST_ATTEMPTS = 12;
/** Milliseconds between two warnings of dropped events. */
const WARNING_INTERVAL = 60_000;

const NANOSECONDS_PER_MILLISECOND = 1_000_000;
const LONGEST_NAME = 253;

/** One Event object, and how it is written. */
export interface WrittenEvent {
  readonly namespace: string;
  readonly name: string;
  /** Whether the server has the object; the writer sets it. */
  isStored: boolean;
  /** The whole object as it is now. */
  object(): KubernetesObject;
  /** The members that change when it occurs again, as a merge patch. */
  change(): object;
}

/** Where events are written: the client acts as their reporter. */
export interface EventTarget {
  readonly client: Pick<Writer, 'create' | 'patch'>;
  /** Events of the core group or of `events.k8s.io`. */
  readonly resource: Resource;
}

interface WaitingEvent {
  readonly target: EventTarget;
  readonly event: WrittenEvent;
  attempts: number;
}

/**
 * Writes events apart from the work that reports them, which never waits for it. An event that occurs again while it
 * waits is written once. What the server refuses is not repeated: its namespace may be going, or the permission missing.
 */
export class EventWriter {
  readonly #waiting = new Map<string, WaitingEvent>();
  readonly #queue: WorkQueue;
  readonly #logger: Pick<Logger, 'warn' | 'detail'>;
  readonly #clock: Pick<ProcessClock, 'now'>;
  #named = 0;
  #dropped = 0;
  #warnedAt = Number.NEGATIVE_INFINITY;

  /** @param observer counts the events that wait as work of the cluster */
  constructor({ clock, clusterClock, logger }: QueueContext, observer?: Pick<WorkQueueObserver, 'idle'>) {
    this.#logger = logger;
    this.#clock = clock;
    this.#queue = new WorkQueue({
      work: async (key) => {
        const waiting = this.#waiting.get(key);
        this.#waiting.delete(key);
        if (waiting !== undefined) await this.#write(key, waiting);
        return this.#waiting.get(key)?.attempts ? 'requeue' : 'done';
      },
      clock,
      clusterClock,
      workers: WORKERS,
      onError: () => undefined,
      ...(observer && { observer: { ...SILENT, ...observer } }),
    });
    this.#queue.start();
  }

  /** A new name for an event of an object, with a time of the cluster as client-go has it. */
  nameFor(object: string, now: number): string {
    this.#named = (this.#named + 1) % NANOSECONDS_PER_MILLISECOND;
    const suffix = (
      BigInt(Math.floor(now)) * BigInt(NANOSECONDS_PER_MILLISECOND) +
      BigInt(this.#named)
    ).toString(16);
    return `${object.slice(0, LONGEST_NAME - suffix.length - 1)}.${suffix}`;
  }

  /** Writes an event that is new or has occurred again. */
  write(target: EventTarget, event: WrittenEvent): void {
    const key = `${event.namespace}/${event.name}`;
    if (!this.#waiting.has(key)) {
      if (this.#waiting.size >= MOST_WAITING) {
        this.#drop();
        return;
      }
      this.#waiting.set(key, { target, event, attempts: 0 });
    }
    this.#queue.add(key);
  }

  /** Drops what waits; resolves when nothing is written any more. */
  stop(): Promise<void> {
    this.#waiting.clear();
    return this.#queue.stop();
  }

  async #write(key: string, waiting: WaitingEvent): Promise<void> {
    try {
      await store(waiting);
    } catch (error) {
      const isRefused = error instanceof ApiError && error.code < 500 && error.code !== 429;
      waiting.attempts += 1;
      if (!isRefused && waiting.attempts < MOST_ATTEMPTS) {
        if (!this.#waiting.has(key)) this.#waiting.set(key, waiting);
        return;
      }
      this.#logger.detail(2, 'failed to write an event', { event: key, err: (error as Error).message });
    }
  }

  #drop(): void {
    this.#dropped += 1;
    const now = this.#clock.now();
    if (now < this.#warnedAt + WARNING_INTERVAL) return;
    this.#warnedAt = now;
    this.#logger.warn('events are dropped: too many wait to be written', {
      dropped: this.#dropped,
      waiting: this.#waiting.size,
    });
    this.#dropped = 0;
  }
}

const SILENT: WorkQueueObserver = {
  depth: () => undefined,
  added: () => undefined,
  retried: () => undefined,
  waited: () => undefined,
  worked: () => undefined,
};

/** Creates the object, or changes it; one that has expired meanwhile is created again. */
async function store({ target: { client, resource }, event }: WaitingEvent): Promise<void> {
  if (event.isStored) {
    try {
      await client.patch(resource, event.namespace, event.name, event.change());
      return;
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 404)) throw error;
    }
  }
  await client.create(resource, event.object());
  event.isStored = true;
}
