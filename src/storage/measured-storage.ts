import type { Counter, Histogram } from '../observability/metric-cells.ts';
import { OVERFLOW_LABEL } from '../observability/metric-family.ts';
import type { ServerMetrics } from '../observability/metrics-catalog.ts';
import { processClock } from '../time/clock.ts';
import type {
  HealthPurpose,
  MaybePromise,
  RangeOptions,
  Storage,
  StoreWatch,
  Transaction,
  WatchOptions,
} from './storage.ts';

/** Root of all keys. */
const ROOT = '/registry/';

type Operation = 'get' | 'list' | 'create' | 'update' | 'delete';
interface Cells {
  readonly requests: Counter;
  readonly errors: Counter;
  readonly duration: Histogram;
  /** Of lists: their number, and the objects in them, which are all tested and returned. */
  readonly lists?: readonly [count: Counter, fetched: Counter, evaluated: Counter, returned: Counter];
}

/** Wraps a store and records its requests and their durations in kube-apiserver's etcd metrics. */
export class MeasuredStorage implements Storage {
  readonly #inner: Storage;
  readonly #metrics: ServerMetrics;
  readonly #typeOf: (key: string) => readonly [prefix: string, type: string];
  readonly #cells = new Map<Operation, Map<string, Cells>>();
  #isKnown: (prefix: string) => boolean = () => true;

  /** @param typeOf returns the prefix of a key and the value of the label `type`, `resource.group` */
  constructor(
    inner: Storage,
    metrics: ServerMetrics,
    typeOf: (key: string) => readonly [prefix: string, type: string],
  ) {
    this.#typeOf = typeOf;
    this.#inner = inner;
    this.#metrics = metrics;
  }

  /** Requests for keys under other prefixes are recorded together. */
  limitPrefixes(isKnown: (prefix: string) => boolean): void {
    this.#isKnown = isKnown;
  }

  /** Removes the series of a prefix. */
  forgetPrefix(prefix: string): void {
    for (const byPrefix of this.#cells.values()) byPrefix.delete(prefix);
    const [, type] = this.#typeOf(`${ROOT}${prefix}/`);
    const { storeRequests, storeErrors, storeDuration } = this.#metrics;
    for (const family of [storeRequests, storeErrors, storeDuration]) family.remove({ type });
    const { bookmarks, freshnessWait, storeEvents } = this.#metrics;
    const { storeLists, storeFetched, storeEvaluated, storeReturned } = this.#metrics;
    const lists = [storeLists, storeFetched, storeEvaluated, storeReturned];
    for (const family of [bookmarks, freshnessWait, storeEvents, ...lists]) family.remove({ resource: type });
  }

  get immediate() {
    return this.#inner.immediate;
  }

  get compactsItself() {
    return this.#inner.compactsItself;
  }

  get changesSince() {
    const inner = this.#inner;
    return inner.changesSince?.bind(inner);
  }

  get onReplaced() {
    const inner = this.#inner;
    return inner.onReplaced?.bind(inner);
  }

  knownCompaction(key: string) {
    return this.#inner.knownCompaction?.(key) ?? 0;
  }

  hasOwnRevisions(prefix: string) {
    return this.#inner.hasOwnRevisions?.(prefix) === true;
  }

  get untrustedProgress() {
    return this.#inner.untrustedProgress;
  }

  get(key: string, revision?: number) {
    return this.#measure('get', key, () => this.#inner.get(key, revision));
  }

  range(options: RangeOptions) {
    return this.#measure('list', options.start, () => this.#inner.range(options), noteList);
  }

  count(start: string, end: string) {
    return this.#inner.count(start, end);
  }

  transact(transaction: Transaction) {
    const operation =
      transaction.value === undefined ? 'delete' : transaction.expected === 0 ? 'create' : 'update';
    return this.#measure(operation, transaction.key, () => this.#inner.transact(transaction)) as ReturnType<
      Storage['transact']
    >;
  }

  createBatch(entries: readonly { key: string; value: Uint8Array }[]) {
    return this.#inner.createBatch(entries);
  }

  watch(options: WatchOptions): StoreWatch {
    const { onProgress, onEvents } = options;
    const [, type] = this.#typeOf(options.start);
    const received = this.#metrics.storeEvents.with(type);
    const counted = {
      ...options,
      onEvents: (events: Parameters<typeof onEvents>[0]) => {
        received.add(events.length);
        onEvents(events);
      },
    };
    if (onProgress === undefined || this.#inner.immediate !== undefined) return this.#inner.watch(counted);
    const bookmarks = this.#metrics.bookmarks.with(type);
    return this.#inner.watch({
      ...counted,
      onProgress: (revision, requested) => {
        bookmarks.add(1);
        onProgress(revision, requested);
      },
    });
  }

  compact(revision: number) {
    return this.#inner.compact(revision);
  }

  currentRevision() {
    return this.#inner.currentRevision();
  }

  statistics() {
    return this.#inner.statistics();
  }

  health(purpose?: HealthPurpose) {
    return this.#inner.health(purpose);
  }

  backup(directory: string) {
    return this.#inner.backup(directory);
  }

  close() {
    return this.#inner.close();
  }

  /** @param note records the result of a call that succeeded */
  #measure<T>(
    operation: Operation,
    key: string,
    call: () => MaybePromise<T>,
    note?: (cells: Cells, result: T) => void,
  ): MaybePromise<T> {
    const cells = this.#cellsOf(operation, key);
    const start = processClock.monotonic();
    const done = () => {
      cells.requests.add();
      cells.duration.observe((processClock.monotonic() - start) / 1000);
    };
    const failed = (error: unknown): never => {
      done();
      cells.errors.add();
      throw error;
    };
    try {
      const result = call();
      if (result instanceof Promise) {
        return result.then((value) => {
          done();
          note?.(cells, value);
          return value;
        }, failed);
      }
      done();
      note?.(cells, result);
      return result;
    } catch (error) {
      return failed(error);
    }
  }

  #cellsOf(operation: Operation, key: string): Cells {
    let byPrefix = this.#cells.get(operation);
    if (byPrefix === undefined) {
      byPrefix = new Map();
      this.#cells.set(operation, byPrefix);
    }
    const [prefix, type] = this.#typeOf(key);
    const known = byPrefix.get(prefix);
    if (known !== undefined) return known;
    return this.#isKnown(prefix)
      ? this.#add(byPrefix, prefix, operation, type)
      : (byPrefix.get('') ?? this.#add(byPrefix, '', operation, OVERFLOW_LABEL));
  }

  #add(byPrefix: Map<string, Cells>, prefix: string, operation: Operation, type: string): Cells {
    const { storeRequests, storeErrors, storeDuration } = this.#metrics;
    const { storeLists, storeFetched, storeEvaluated, storeReturned } = this.#metrics;
    const cells = {
      requests: storeRequests.with(operation, type),
      errors: storeErrors.with(operation, type),
      duration: storeDuration.with(operation, type),
      ...(operation === 'list' && {
        lists: [
          storeLists.with(type),
          // Zero is known once a list has been counted.
          storeFetched.with(type).show(),
          storeEvaluated.with(type).show(),
          storeReturned.with(type).show(),
        ] as const,
      }),
    };
    byPrefix.set(prefix, cells);
    return cells;
  }
}

function noteList({ lists }: Cells, { entries }: { readonly entries: readonly unknown[] }): void {
  if (lists === undefined) return;
  const [count, ...objects] = lists;
  count.add();
  for (const counter of objects) counter.add(entries.length);
}
