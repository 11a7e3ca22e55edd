import type { CacheRecord } from '../cache/record.ts';
import type { CacheWatch, ResourceCache } from '../cache/resource-cache.ts';
import type { Snapshot } from '../cache/snapshot.ts';
import { fromKey, prefixEnd, toKey } from '../storage/storage.ts';
import { backOff } from '../time/back-off.ts';
import { type ProcessClock, processClock } from '../time/clock.ts';
import { yieldToEventLoop } from '../time/event-loop.ts';
import type { ObjectIndex } from './object-source.ts';
import { OwnRemovals } from './own-removals.ts';
import { type ObjectDecoder, ReadObject } from './read-object.ts';
import { ReaderIndex } from './reader-index.ts';
import { isSliceOver } from './slices.ts';
import { type SubscribedReader, type Subscriber, Subscription } from './subscription.ts';

export interface ReaderOptions {
  readonly cache: ResourceCache;
  readonly decoder: ObjectDecoder;
  readonly clock: Pick<ProcessClock, 'after'>;
  /** The resource cannot be followed at present; it is tried again with back-off. */
  readonly onError: (error: unknown) => void;
}

/** The time from the first subscriber to the departure of the last one. */
interface Run {
  ended: boolean;
  listed: boolean;
  failures: number;
  watch: CacheWatch | undefined;
  cancelRetry: (() => void) | undefined;
  endOwnWrites: (() => void) | undefined;
  /** Called when a watch has begun, or the run has ended. */
  waiting: (() => void)[];
}

export interface SubscribeOptions {
  /** Takes over the results of all writes of this server before their events arrive. Default: false. */
  readonly seesOwnWrites?: boolean;
}

/** Finds the namespace in keys, after a prefix of some length. */
function namespacesOfKeys(length: number): ObjectIndex<ReadObject> {
  return ({ record: { key } }) => [fromKey(key.slice(length, key.indexOf('/', length)))];
}

/**
 * The objects of one resource, as the records of its cache: lists them, then watches, and compares with a new list
 * after the watch has ended. All subscribers share it. An object is decoded when the first of them uses it, and
 * kept while it is current and anybody subscribes. Nothing is queued for a subscriber: the cache delivers events in
 * slices, and whatever it cannot keep in memory it reads again from the history of the store.
 */
export class ResourceReader implements SubscribedReader {
  readonly objects = new Map<string, ReadObject>();
  readonly clock: Pick<ProcessClock, 'after'>;
  readonly #options: ReaderOptions;
  readonly #subscriptions = new Set<Subscription>();
  readonly #indexes = new Map<ObjectIndex<ReadObject>, ReaderIndex>();
  readonly #removals = new OwnRemovals();
  /** By the namespace in the key. */
  readonly #namespaces: ObjectIndex<ReadObject>;
  #run: Run | undefined;
  #order = 0;
  #lists = 0;

  constructor(options: ReaderOptions) {
    this.#options = options;
    this.clock = options.clock;
    this.#namespaces = namespacesOfKeys(options.cache.prefix.length);
  }

  /** Tells a subscriber of all objects and their changes, until it ends the subscription. */
  subscribe(subscriber: Subscriber, { seesOwnWrites = false }: SubscribeOptions = {}): Subscription {
    const run = this.#run ?? this.#begin();
    if (seesOwnWrites)
      run.endOwnWrites ??= this.#options.cache.onWritten((key, { record, revision }) => {
        if (record !== undefined) this.#put(record);
        else this.#removeWritten(key, revision);
      });
    const subscription = new Subscription(this, subscriber);
    this.#subscriptions.add(subscription);
    if (run.listed) subscription.listed();
    return subscription;
  }

  unsubscribe(subscription: Subscription): void {
    this.#subscriptions.delete(subscription);
    if (this.#subscriptions.size === 0) this.#end();
  }

  /** @param key `namespace/name`, or the name alone of a cluster-scoped object */
  get(key: string): ReadObject | undefined {
    return this.objects.get(toKey(this.#options.cache.prefix + key));
  }

  keyOf(cacheKey: string): string {
    return fromKey(cacheKey.slice(this.#options.cache.prefix.length));
  }

  /** All objects by key, or those of a namespace. */
  *entries(namespace?: string): Generator<readonly [key: string, object: ReadObject], void> {
    if (namespace !== undefined) yield* this.find(this.#namespaces, namespace);
    else for (const [cacheKey, object] of this.objects) yield [this.keyOf(cacheKey), object];
  }

  /** The objects under a key of an index, which is made on first use. */
  *find(
    index: ObjectIndex<ReadObject>,
    key: string,
  ): Generator<readonly [key: string, object: ReadObject], void> {
    for (const cacheKey of [...this.#indexOf(index).get(key)]) {
      const object = this.objects.get(cacheKey);
      if (object !== undefined) yield [this.keyOf(cacheKey), object];
    }
  }

  #indexOf(index: ObjectIndex<ReadObject>): ReaderIndex {
    let found = this.#indexes.get(index);
    if (found === undefined) {
      found = new ReaderIndex(index);
      this.#indexes.set(index, found);
      for (const [cacheKey, object] of this.objects) {
        found.put(cacheKey, object);
        object.release();
      }
    }
    return found;
  }

  /** Takes over the result of an own write before its event arrives. */
  observe(record: CacheRecord): void {
    if (this.#run !== undefined) this.#put(record);
  }

  /**
   * Resolves when every change that the store had at the call is known, also if the watch ends meanwhile, or when the
   * last subscriber has gone.
   * @throws the errors of {@link ResourceCache.waitFresh}
   */
  async caughtUp(): Promise<void> {
    const run = this.#run;
    while (run !== undefined && !run.ended) {
      const { watch } = run;
      if (watch === undefined) await new Promise<void>((resolve) => run.waiting.push(resolve));
      else {
        await watch.caughtUp();
        if (run.watch === watch) return;
      }
    }
  }

  #begin(): Run {
    const run: Run = {
      ended: false,
      listed: false,
      failures: 0,
      watch: undefined,
      cancelRetry: undefined,
      endOwnWrites: undefined,
      waiting: [],
    };
    this.#run = run;
    void this.#follow(run);
    return run;
  }

  #end(): void {
    const run = this.#run;
    if (run === undefined) return;
    this.#run = undefined;
    run.ended = true;
    run.endOwnWrites?.();
    for (const wake of run.waiting.splice(0)) wake();
    run.watch?.close();
    run.cancelRetry?.();
    this.objects.clear();
    this.#indexes.clear();
    this.#removals.clear();
  }

  async #follow(run: Run): Promise<void> {
    const { cache } = this.#options;
    try {
      await cache.ready();
      if (run.ended) return;
      const snapshot = cache.freeze();
      await this.#list(snapshot, run);
      if (run.ended) return;
      run.watch = cache.watch({ prefix: cache.prefix, encodes: false }, snapshot.revision, {
        matches: () => true,
        deliver: (type, record, revision) => {
          run.failures = 0;
          if (type === 'DELETED') this.#remove(record.key, revision);
          else this.#put(record);
          return true;
        },
        drained: () => Promise.resolve(),
        end: (error) => this.#retry(run, error),
      });
    } catch (error) {
      this.#retry(run, error);
      return;
    }
    run.listed = true;
    for (const wake of run.waiting.splice(0)) wake();
    for (const subscription of [...this.#subscriptions]) subscription.listed();
  }

  /** Compares with the state of the cache, in turns with everything else that the process does. */
  async #list(snapshot: Snapshot, run: Run): Promise<void> {
    const { prefix } = this.#options.cache;
    this.#lists += 1;
    this.#removals.reached(snapshot.revision);
    for (let start: string | undefined = prefix; start !== undefined && !run.ended; ) {
      start = this.#listSlice(snapshot, start, prefixEnd(prefix));
      if (start !== undefined) await yieldToEventLoop();
    }
    let slice = processClock.monotonic();
    for (const [cacheKey, { listed }] of this.objects) {
      if (run.ended) return;
      if (listed !== this.#lists) this.#remove(cacheKey, snapshot.revision);
      if (!isSliceOver(slice)) continue;
      await yieldToEventLoop();
      slice = processClock.monotonic();
    }
  }

  /** @returns where the next slice starts */
  #listSlice(snapshot: Snapshot, start: string, end: string): string | undefined {
    const slice = processClock.monotonic();
    let next: string | undefined;
    snapshot.scan(start, end, (record) => {
      const object = this.#put(record);
      if (object !== undefined) object.listed = this.#lists;
      if (!isSliceOver(slice)) return undefined;
      next = `${record.key}\0`;
      return false;
    });
    return next;
  }

  /** @returns the newest known version of the object; undefined if this server has removed it since */
  #put(record: CacheRecord): ReadObject | undefined {
    const { key } = record;
    if (this.#removals.has(key, record.revision)) return undefined;
    const previous = this.objects.get(key);
    if (previous !== undefined && previous.record.revision >= record.revision) return previous;
    if (previous === undefined) this.#order += 1;
    const object = new ReadObject(record, this.#options.decoder, previous?.order ?? this.#order);
    this.objects.set(key, object);
    for (const index of this.#indexes.values()) index.put(key, object);
    this.#notify(key, object, previous);
    return object;
  }

  #remove(cacheKey: string, revision: number): void {
    const previous = this.objects.get(cacheKey);
    if (previous === undefined || previous.record.revision > revision) return;
    this.objects.delete(cacheKey);
    for (const index of this.#indexes.values()) index.delete(cacheKey);
    this.#notify(cacheKey, undefined, previous);
  }

  /** The events until then may still come: the object does not appear again by them. */
  #removeWritten(cacheKey: string, revision: number): void {
    const delivered = this.#run?.watch?.deliveredRevision() ?? 0;
    this.#removals.reached(delivered);
    if (revision > delivered) this.#removals.add(cacheKey, revision);
    this.#remove(cacheKey, revision);
  }

  #notify(cacheKey: string, current: ReadObject | undefined, previous: ReadObject | undefined): void {
    for (const subscription of this.#subscriptions) subscription.notify(cacheKey, current, previous);
    current?.release();
    previous?.release();
  }

  #retry(run: Run, error: unknown): void {
    run.watch = undefined;
    if (run.ended) return;
    if (error !== undefined) this.#options.onError(error);
    run.failures += 1;
    run.cancelRetry = this.#options.clock.after(backOff(run.failures), () => void this.#follow(run));
  }
}
