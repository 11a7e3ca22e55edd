import type { KubernetesObject } from '../model/object.ts';
import { ApiError } from '../status/index.ts';
import type { ProcessClock } from '../time/clock.ts';
import { backOff } from './back-off.ts';
import type { Client, ListSelection, Resource, WatchEvent } from './client.ts';

export interface InformerOptions {
  readonly client: Client;
  readonly resource: Resource;
  readonly selection?: Pick<ListSelection, 'fieldSelector' | 'metadataOnly'>;
  /** Objects to store; others count as absent. Default: all. */
  readonly filter?: (object: KubernetesObject) => boolean;
  readonly clock: Pick<ProcessClock, 'now' | 'after'>;
  readonly onError: (resource: Resource, error: unknown) => void;
}

/**
 * Called for every object that is added, updated (`previous` is the old state) or deleted (`object` is
 * undefined).
 */
export type ChangeListener = (
  key: string,
  object: KubernetesObject | undefined,
  previous: KubernetesObject | undefined,
) => void;

/** `namespace/name`, or the name alone of a cluster-scoped object. */
export const keyOf = ({ metadata }: KubernetesObject): string =>
  metadata?.namespace ? `${metadata.namespace}/${metadata.name}` : (metadata?.name ?? '');

const GONE = 410;

/** A cache of one resource: lists, then watches, and resumes after interruptions. */
export class Informer {
  readonly #options: InformerOptions;
  readonly #objects = new Map<string, KubernetesObject>();
  readonly #listeners: ChangeListener[] = [];
  readonly #stopped = new AbortController();
  #run: Promise<void> | undefined;
  #synced!: () => void;
  /** Resolves after the initial list, or when the informer is stopped. */
  readonly synced = new Promise<void>((resolve) => {
    this.#synced = resolve;
  });

  constructor(options: InformerOptions) {
    this.#options = options;
  }

  get objects(): ReadonlyMap<string, KubernetesObject> {
    return this.#objects;
  }

  onChange(listener: ChangeListener): void {
    this.#listeners.push(listener);
  }

  /** Starts the informer; further calls have no effect, since controllers share informers. */
  start(): void {
    this.#run ??= this.#follow();
  }

  /** Aborts the watch. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#run;
  }

  async #follow(): Promise<void> {
    const { signal } = this.#stopped;
    let revision: string | undefined;
    let failures = 0;
    while (!signal.aborted) {
      try {
        revision ??= await this.#list();
        for await (const event of this.#watch(revision)) {
          revision = event.object.metadata?.resourceVersion ?? revision;
          failures = 0;
          this.#handle(event);
        }
      } catch (error) {
        if (signal.aborted) break;
        if (error instanceof ApiError && error.code === GONE) revision = undefined;
        else this.#options.onError(this.#options.resource, error);
      }
      // A watch that ended without an error is resumed after the minimum delay.
      failures += 1;
      if (!signal.aborted) await this.#pause(backOff(failures));
    }
    this.#synced();
  }

  async #list(): Promise<string> {
    const { client, resource, selection } = this.#options;
    const absent = new Set(this.#objects.keys());
    let revision = '';
    for await (const { items, resourceVersion } of client.pages(resource, selection)) {
      for (const item of items) {
        absent.delete(keyOf(item));
        this.#set(keyOf(item), item);
      }
      revision = resourceVersion;
    }
    for (const key of absent) this.#set(key, undefined);
    this.#synced();
    return revision;
  }

  #watch(revision: string): AsyncGenerator<WatchEvent, void> {
    const { client, resource, selection = {} } = this.#options;
    return client.watch(resource, revision, selection, this.#stopped.signal);
  }

  #handle({ type, object }: WatchEvent): void {
    if (type !== 'BOOKMARK') this.#set(keyOf(object), type === 'DELETED' ? undefined : object);
  }

  #set(key: string, found: KubernetesObject | undefined): void {
    const { filter: keep } = this.#options;
    const object = found !== undefined && keep?.(found) !== false ? found : undefined;
    const previous = this.#objects.get(key);
    if (object === undefined && previous === undefined) return;
    if (object === undefined) this.#objects.delete(key);
    else this.#objects.set(key, object);
    for (const listener of this.#listeners) listener(key, object, previous);
  }

  #pause(milliseconds: number): Promise<void> {
    const { signal } = this.#stopped;
    return new Promise((resolve) => {
      const wake = (): void => {
        cancel();
        signal.removeEventListener('abort', wake);
        resolve();
      };
      const cancel = this.#options.clock.after(milliseconds, wake);
      signal.addEventListener('abort', wake, { once: true });
    });
  }
}
