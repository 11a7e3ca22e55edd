import type { KubernetesObject, ObjectMeta } from '../model/object.ts';
import type { ChangeListener, ObjectSource, SourceObject } from '../reader/object-source.ts';
import type { Client, Resource, WatchEvent } from '../reconcile/client.ts';
import { ApiError } from '../status/index.ts';
import { backOff } from '../time/back-off.ts';
import type { ProcessClock } from '../time/clock.ts';

export interface RemoteInformerOptions {
  readonly client: Client;
  readonly resource: Resource;
  readonly clock: Pick<ProcessClock, 'after'>;
  readonly onError: (resource: Resource, error: unknown) => void;
}

/** An object as its server returned it. */
class ReturnedObject implements SourceObject {
  constructor(readonly object: KubernetesObject) {}

  peek(): KubernetesObject {
    return this.object;
  }

  read(): KubernetesObject {
    return this.object;
  }

  metadata(): ObjectMeta {
    return this.object.metadata ?? {};
  }
}

/** `namespace/name`, or the name alone of a cluster-scoped object. */
const keyOf = ({ metadata }: KubernetesObject): string =>
  metadata?.namespace ? `${metadata.namespace}/${metadata.name}` : (metadata?.name ?? '');

/** Objects without spec and status. */
const METADATA_ONLY = { metadataOnly: true };
const GONE = 410;

/**
 * The metadata of the objects of an extension server: lists, then watches, and resumes after interruptions. Objects of
 * this server have readers.
 */
export class RemoteInformer implements ObjectSource {
  readonly #options: RemoteInformerOptions;
  readonly #objects = new Map<string, ReturnedObject>();
  readonly #listeners: ChangeListener[] = [];
  readonly #stopped = new AbortController();
  #run: Promise<void> | undefined;
  #synced!: () => void;
  /** Resolves after the initial list, or when the informer is stopped. */
  readonly synced = new Promise<void>((resolve) => {
    this.#synced = resolve;
  });

  constructor(options: RemoteInformerOptions) {
    this.#options = options;
  }

  onChange(listener: ChangeListener): void {
    this.#listeners.push(listener);
  }

  has(key: string): boolean {
    return this.#objects.has(key);
  }

  get(key: string): KubernetesObject | undefined {
    return this.#objects.get(key)?.object;
  }

  *entries(namespace?: string): Generator<readonly [key: string, object: SourceObject], void> {
    for (const entry of this.#objects)
      if (namespace === undefined || entry[0].startsWith(`${namespace}/`)) yield entry;
  }

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
    const { client, resource } = this.#options;
    const absent = new Set(this.#objects.keys());
    let revision = '';
    for await (const { items, resourceVersion } of client.pages(resource, METADATA_ONLY)) {
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
    const { client, resource } = this.#options;
    return client.watch(resource, revision, METADATA_ONLY, this.#stopped.signal);
  }

  #handle({ type, object }: WatchEvent): void {
    if (type !== 'BOOKMARK') this.#set(keyOf(object), type === 'DELETED' ? undefined : object);
  }

  #set(key: string, found: KubernetesObject | undefined): void {
    const previous = this.#objects.get(key);
    if (found === undefined && previous === undefined) return;
    const object = found && new ReturnedObject(found);
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
