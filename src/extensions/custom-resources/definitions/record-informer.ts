import type { CacheRecord } from '../../../cache/record.ts';
import type { CacheWatch, ResourceCache } from '../../../cache/resource-cache.ts';
import type { Snapshot } from '../../../cache/snapshot.ts';
import { backOff } from '../../../controllers/back-off.ts';
import type { Logger } from '../../../observability/log.ts';
import { prefixEnd } from '../../../storage/storage.ts';
import type { ProcessClock } from '../../../time/clock.ts';

/** Reports a change of one object; `value` is undefined when it has been removed. */
export type ChangeListener<Value> = (
  name: string,
  value: Value | undefined,
  previous: Value | undefined,
) => void;

export interface RecordInformerOptions<Value> {
  readonly cache: ResourceCache;
  /** Reads what the listeners need. An object that cannot be read is treated as absent. */
  readonly read: (record: CacheRecord) => Value;
  /** The name under which listeners know an object; default: its own name, unique if cluster-scoped. */
  readonly nameOf?: (record: CacheRecord) => string;
  /** Takes over the results of all writes of this server before their events arrive. Default: false. */
  readonly seesOwnWrites?: boolean;
  readonly clock: Pick<ProcessClock, 'now' | 'after'>;
  readonly logger: Pick<Logger, 'detail'>;
  /** What the objects are followed for; ends the text of log entries: `failed to follow <purpose>`. */
  readonly purpose: string;
}

interface Known<Value> {
  readonly revision: number;
  readonly value: Value;
}

/**
 * Follows the objects of a resource in its cache: lists them, then watches, and lists again
 * after the watch has ended. It sees every writer's changes in the order of the store.
 */
export class RecordInformer<Value> {
  readonly #options: RecordInformerOptions<Value>;
  readonly #known = new Map<string, Known<Value>>();
  readonly #listeners: ChangeListener<Value>[] = [];
  #watch: CacheWatch | undefined;
  #failures = 0;
  #cancelRetry: (() => void) | undefined;
  #endOwnWrites: (() => void) | undefined;
  #stopped = false;
  #synced!: () => void;
  /** Resolves after the first list, or when the informer is stopped. */
  readonly synced = new Promise<void>((resolve) => {
    this.#synced = resolve;
  });

  constructor(options: RecordInformerOptions<Value>) {
    this.#options = options;
  }

  get(name: string): Value | undefined {
    return this.#known.get(name)?.value;
  }

  /** All known objects by name. */
  *entries(): Generator<readonly [name: string, value: Value]> {
    for (const [name, { value }] of this.#known) yield [name, value];
  }

  onChange(listener: ChangeListener<Value>): void {
    this.#listeners.push(listener);
  }

  start(): void {
    // Listeners begin with a change before its writer gets the response, so that they are ahead of what the
    // writer does next.
    if (this.#options.seesOwnWrites === true)
      this.#endOwnWrites = this.#options.cache.onWritten((record) => this.observe(record));
    void this.#follow();
  }

  stop(): void {
    this.#stopped = true;
    this.#endOwnWrites?.();
    this.#watch?.close();
    this.#cancelRetry?.();
    this.#synced();
  }

  /** Resolves when the listeners know every change that the store had at the call. */
  async caughtUp(): Promise<void> {
    await this.#watch?.caughtUp();
  }

  /**
   * Takes over the result of an own write before its event arrives. @param record undefined for a removed
   * object
   */
  observe(record: CacheRecord): void {
    const known = this.#known.get(this.#nameOf(record));
    if (known === undefined || known.revision < record.revision) this.#put(record);
  }

  #nameOf(record: CacheRecord): string {
    return this.#options.nameOf?.(record) ?? record.name;
  }

  async #follow(): Promise<void> {
    const { cache } = this.#options;
    try {
      await cache.ready();
      if (this.#stopped) return;
      const snapshot = cache.current();
      this.#list(snapshot);
      this.#watch = cache.watch({ prefix: cache.prefix }, snapshot.revision, {
        matches: () => true,
        deliver: (type, record, revision) => {
          this.#failures = 0;
          if (type === 'DELETED') this.#remove(this.#nameOf(record), revision);
          else this.#put(record);
          return true;
        },
        drained: () => Promise.resolve(),
        end: (error) => this.#retry(error),
      });
      this.#synced();
    } catch (error) {
      this.#retry(error);
    }
  }

  #list(snapshot: Snapshot): void {
    const { cache } = this.#options;
    const absent = new Set(this.#known.keys());
    snapshot.scan(cache.prefix, prefixEnd(cache.prefix), (record) => {
      const name = this.#nameOf(record);
      absent.delete(name);
      if (this.#known.get(name)?.revision !== record.revision) this.#put(record);
      return undefined;
    });
    for (const name of absent) this.#remove(name, snapshot.revision);
  }

  #put(record: CacheRecord): void {
    const { revision } = record;
    const name = this.#nameOf(record);
    const previous = this.#known.get(name);
    if (previous !== undefined && previous.revision >= revision) return;
    let value: Value;
    try {
      value = this.#options.read(record);
    } catch (error) {
      this.#logError(error);
      this.#remove(name, revision);
      return;
    }
    this.#known.set(name, { revision, value });
    this.#notify(name, value, previous?.value);
  }

  #remove(name: string, revision: number): void {
    const previous = this.#known.get(name);
    if (previous === undefined || previous.revision > revision) return;
    this.#known.delete(name);
    this.#notify(name, undefined, previous.value);
  }

  #notify(name: string, value: Value | undefined, previous: Value | undefined): void {
    for (const listener of this.#listeners) listener(name, value, previous);
  }

  #logError(error: unknown): void {
    const { logger, purpose, cache } = this.#options;
    logger.detail(2, `failed to follow ${purpose}`, {
      prefix: cache.prefix,
      err: (error as Error).message,
    });
  }

  #retry(error: unknown): void {
    this.#watch = undefined;
    if (this.#stopped) return;
    if (error !== undefined) this.#logError(error);
    this.#failures += 1;
    this.#cancelRetry = this.#options.clock.after(backOff(this.#failures), () => void this.#follow());
  }
}
