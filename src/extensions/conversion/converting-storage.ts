import type { Storage, StoredEntry, StoreEvent, StoreWatch, WatchOptions } from '../../storage/storage.ts';

/** Maximum events of a store's watch that wait for their conversion; above it the watch ends. */
const MAXIMUM_WAITING = 10_000;

export interface ConvertingStorageOptions {
  readonly storage: Storage;
  /** Converts stored bytes, in order. Rejects when one of them cannot be converted. */
  readonly convert: (values: readonly Uint8Array[]) => Promise<readonly Uint8Array[]>;
  /** Returns the converted bytes of a key at a revision, if they are known. */
  readonly known: (key: string, revision: number) => Uint8Array | undefined;
}

/**
 * Returns a store whose values are those of another store in one version. It is read only, and not immediate:
 * its watches deliver changes when they are converted, in order, so that a slow converter delays nobody else.
 * A failed conversion ends the watch.
 */
export function convertingStorage(options: ConvertingStorageOptions): Storage {
  const { storage, convert } = options;
  const readOnly = (): never => {
    throw new Error('converted objects are written to the store of their resource');
  };
  return {
    async get(key, revision) {
      const { entry, revision: current } = await storage.get(key, revision);
      return { entry: entry && (await convertEntries([entry], convert))[0], revision: current };
    },
    async range(range) {
      const result = await storage.range(range);
      return range.keysOnly === true
        ? result
        : { ...result, entries: await convertEntries(result.entries, convert) };
    },
    count: (start, end) => storage.count(start, end),
    watch: (watch) => new ConvertingWatch(options, watch),
    currentRevision: () => storage.currentRevision(),
    statistics: () => storage.statistics(),
    health: () => storage.health(),
    transact: readOnly,
    createBatch: readOnly,
    compact: readOnly,
    backup: readOnly,
    close: () => Promise.resolve(),
  };
}

/** Converts the values of entries that are not corrupt. */
async function convertEntries(
  entries: readonly StoredEntry[],
  convert: ConvertingStorageOptions['convert'],
): Promise<StoredEntry[]> {
  const sound = entries.filter(({ corruption }) => corruption === undefined);
  const values = await convert(sound.map(({ value }) => value));
  const converted = new Map(sound.map((entry, index) => [entry, values[index]!]));
  return entries.map((entry) => ({ ...entry, value: converted.get(entry) ?? entry.value }));
}

/** What the store's watch delivered: events, or progress. */
type Delivery = () => Promise<void>;

/** A watch whose events are converted one after the other. */
class ConvertingWatch implements StoreWatch {
  readonly #options: ConvertingStorageOptions;
  readonly #watch: WatchOptions;
  readonly #source: StoreWatch;
  readonly #waiting: Delivery[] = [];
  #waitingEvents = 0;
  #running = false;
  #over = false;

  constructor(options: ConvertingStorageOptions, watch: WatchOptions) {
    this.#options = options;
    this.#watch = watch;
    this.#source = options.storage.watch({
      ...watch,
      onEvents: (events) => this.#add(events),
      onProgress: (revision, requested) =>
        this.#enqueue(() => Promise.resolve(watch.onProgress?.(revision, requested))),
      onEnd: (error) => this.#enqueue(() => Promise.resolve(this.#end(error))),
    });
  }

  close(): void {
    this.#over = true;
    this.#source.close();
  }

  requestProgress(): void {
    this.#source.requestProgress();
  }

  #add(events: readonly StoreEvent[]): void {
    this.#waitingEvents += events.length;
    if (this.#waitingEvents > MAXIMUM_WAITING) {
      this.#end(new Error(`more than ${MAXIMUM_WAITING} changes wait for their conversion`));
      return;
    }
    this.#enqueue(async () => {
      const converted = await this.#converted(events);
      this.#waitingEvents -= events.length;
      if (!this.#over) this.#watch.onEvents(converted);
    });
  }

  #enqueue(delivery: Delivery): void {
    if (this.#over) return;
    this.#waiting.push(delivery);
    if (!this.#running) void this.#run();
  }

  async #run(): Promise<void> {
    this.#running = true;
    try {
      for (let next = this.#waiting.shift(); next !== undefined && !this.#over; next = this.#waiting.shift())
        await next();
    } catch (error) {
      this.#end(error as Error);
    } finally {
      this.#running = false;
    }
  }

  async #converted(events: readonly StoreEvent[]): Promise<StoreEvent[]> {
    const { convert, known } = this.#options;
    const entries: StoredEntry[] = [];
    for (const { type, previous, ...put } of events) {
      if (type === 'put') entries.push(put);
      if (previous !== undefined) entries.push(previous);
    }
    const wanted = entries.filter(({ key, revision }) => known(key, revision) === undefined);
    const converted = new Map(
      (await convertEntries(wanted, convert)).map((entry) => [`${entry.revision} ${entry.key}`, entry]),
    );
    const bytesOf = ({ key, revision }: StoredEntry): Uint8Array =>
      known(key, revision) ?? converted.get(`${revision} ${key}`)!.value;
    return events.map((event) => ({
      ...event,
      value: event.type === 'put' ? bytesOf(event) : event.value,
      previous: event.previous && { ...event.previous, value: bytesOf(event.previous) },
    }));
  }

  #end(error: Error): void {
    if (this.#over) return;
    this.close();
    this.#waiting.length = 0;
    this.#watch.onEnd(error);
  }
}
