import type { KubernetesObject } from '../model/object.ts';
import { backOff } from '../time/back-off.ts';
import type { ProcessClock } from '../time/clock.ts';
import type { ChangeListener, IndexedSource, ObjectIndex } from './object-source.ts';
import type { ReadObject } from './read-object.ts';
import type { ResourceReader } from './resource-reader.ts';
import type { Subscriber, Subscription } from './subscription.ts';

/** A reader that may be subscribed to, and which of its objects are selected. */
export interface SelectedReader {
  readonly reader: ResourceReader;
  /** Objects that count; others are absent. Default: all. */
  readonly selects?: ((object: ReadObject) => boolean) | undefined;
  readonly observer?: WatchObserver | undefined;
}

/** Observes a source as the watch of a client, for metrics. */
export interface WatchObserver {
  /** A change was delivered. @param bytes of the stored object */
  changed(bytes: number): void;
  ended(): void;
}

export interface CachedSourceOptions {
  /** Resolves once the permission was checked. Rejects if it is missing or the resource is not served. */
  readonly open: () => Promise<SelectedReader>;
  readonly clock: Pick<ProcessClock, 'after'>;
  /** The source cannot start, or a listener cannot read an object; it is tried again with back-off. */
  readonly onError: (error: unknown) => void;
}

/** Objects of this server, from the reader that all sources of their resource share. */
export class CachedSource implements IndexedSource, Subscriber {
  readonly #options: CachedSourceOptions;
  readonly #listeners: ChangeListener[] = [];
  /** Keys of the selected objects; unused if all are. */
  readonly #selected = new Set<string>();
  #opened: SelectedReader | undefined;
  #subscription: Subscription | undefined;
  #started = false;
  #stopped = false;
  /** The listeners know all objects: what they are told of is a change. */
  #listed = false;
  #failures = 0;
  #cancelRetry: (() => void) | undefined;
  #synced!: () => void;
  readonly synced = new Promise<void>((resolve) => {
    this.#synced = resolve;
  });

  constructor(options: CachedSourceOptions) {
    this.#options = options;
  }

  onChange(listener: ChangeListener): void {
    this.#listeners.push(listener);
  }

  start(): void {
    if (this.#started) return;
    this.#started = true;
    void this.#open();
  }

  async stop(): Promise<void> {
    if (!this.#stopped) this.#opened?.observer?.ended();
    this.#stopped = true;
    this.#cancelRetry?.();
    this.#subscription?.stop();
    this.#synced();
  }

  has(key: string): boolean {
    return this.#find(key) !== undefined;
  }

  get(key: string): KubernetesObject | undefined {
    return this.#find(key)?.object;
  }

  read(key: string): KubernetesObject | undefined {
    return this.#find(key)?.read();
  }

  *entries(namespace?: string): Generator<readonly [key: string, object: ReadObject], void> {
    for (const entry of this.#opened?.reader.entries(namespace) ?? [])
      if (this.#counts(entry[0])) yield entry;
  }

  *find(index: ObjectIndex, key: string): Generator<readonly [key: string, object: ReadObject], void> {
    for (const entry of this.#opened?.reader.find(index, key) ?? []) if (this.#counts(entry[0])) yield entry;
  }

  async caughtUp(): Promise<void> {
    await this.#opened?.reader.caughtUp();
  }

  changed(key: string, current: ReadObject | undefined, previous: ReadObject | undefined): void {
    const { selects } = this.#opened!;
    const before = previous !== undefined && this.#counts(key) ? previous : undefined;
    const now = current !== undefined && selects?.(current) !== false ? current : undefined;
    if (now === undefined && before === undefined) return;
    if (selects !== undefined) this.#select(key, now !== undefined);
    try {
      for (const listener of this.#listeners) listener(key, now, before);
      if (this.#listed) this.#opened!.observer?.changed((now ?? before)!.record.value.length);
    } catch (error) {
      if (selects !== undefined) this.#select(key, before !== undefined);
      throw error;
    }
  }

  #select(key: string, isSelected: boolean): void {
    if (isSelected) this.#selected.add(key);
    else this.#selected.delete(key);
  }

  failed(error: unknown): void {
    this.#options.onError(error);
  }

  #find(key: string): ReadObject | undefined {
    return this.#counts(key) ? this.#opened?.reader.get(key) : undefined;
  }

  #counts(key: string): boolean {
    return this.#opened?.selects === undefined || this.#selected.has(key);
  }

  async #open(): Promise<void> {
    const { open, clock, onError } = this.#options;
    try {
      const opened = await open();
      if (this.#stopped) {
        opened.observer?.ended();
        return;
      }
      this.#opened = opened;
      this.#subscription = opened.reader.subscribe(this, { seesOwnWrites: true });
      void this.#subscription.synced.then(() => {
        this.#listed = true;
        this.#synced();
      });
    } catch (error) {
      if (this.#stopped) return;
      onError(error);
      this.#failures += 1;
      this.#cancelRetry = clock.after(backOff(this.#failures), () => void this.#open());
    }
  }
}
