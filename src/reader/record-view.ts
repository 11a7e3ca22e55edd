import type { CacheRecord } from '../cache/record.ts';
import type { Logger } from '../observability/log.ts';
import type { ResourceReader } from './resource-reader.ts';
import type { Subscription } from './subscription.ts';

/** Reports a change of one object; `value` is undefined when it has been removed. */
export type ValueListener<Value> = (
  name: string,
  value: Value | undefined,
  previous: Value | undefined,
) => void;

export interface RecordViewOptions<Value> {
  readonly reader: ResourceReader;
  /** Reads what the listeners need. An object that cannot be read is treated as absent. */
  readonly read: (record: CacheRecord) => Value;
  /** Listeners are told of all writes of this server before their events arrive. Default: false. */
  readonly seesOwnWrites?: boolean;
  readonly logger: Pick<Logger, 'detail'>;
  /** What the objects are read for; ends the text of log entries: `failed to follow <purpose>`. */
  readonly purpose: string;
}

/** What is read from each object of a resource, and its changes. */
export class RecordView<Value> {
  readonly #options: RecordViewOptions<Value>;
  readonly #values = new Map<string, Value>();
  readonly #listeners: ValueListener<Value>[] = [];
  #subscription: Subscription | undefined;
  #synced!: () => void;
  /** Resolves when all objects have been read, or when the view is stopped. */
  readonly synced = new Promise<void>((resolve) => {
    this.#synced = resolve;
  });

  constructor(options: RecordViewOptions<Value>) {
    this.#options = options;
  }

  get(name: string): Value | undefined {
    return this.#values.get(name);
  }

  /** All values by the name of their object. */
  entries(): IterableIterator<readonly [name: string, value: Value]> {
    return this.#values.entries();
  }

  onChange(listener: ValueListener<Value>): void {
    this.#listeners.push(listener);
  }

  start(): void {
    const { reader, seesOwnWrites = false } = this.#options;
    this.#subscription = reader.subscribe(
      { changed: (name, current) => this.#change(name, current?.record) },
      { seesOwnWrites },
    );
    void this.#subscription.synced.then(this.#synced);
  }

  stop(): void {
    this.#subscription?.stop();
    this.#synced();
  }

  /** Resolves when the listeners know every change that the store had at the call. */
  async caughtUp(): Promise<void> {
    await this.#options.reader.caughtUp();
  }

  /** Takes over the result of an own write before its event arrives. */
  observe(record: CacheRecord): void {
    this.#options.reader.observe(record);
  }

  #change(name: string, record: CacheRecord | undefined): void {
    const previous = this.#values.get(name);
    const value = record === undefined ? undefined : this.#read(record);
    if (value === undefined) this.#values.delete(name);
    else this.#values.set(name, value);
    if (value === undefined && previous === undefined) return;
    for (const listener of this.#listeners) listener(name, value, previous);
  }

  #read(record: CacheRecord): Value | undefined {
    const { read, logger, purpose } = this.#options;
    try {
      return read(record);
    } catch (error) {
      const { key } = record;
      logger.detail(2, `failed to follow ${purpose}`, { key, err: (error as Error).message });
      return undefined;
    }
  }
}
