import type { KubernetesObject } from '../../src/model/object.ts';
import type { Client, Resource } from '../../src/reconcile/client.ts';
import { ApiError } from '../../src/status/index.ts';

/** An API client on objects in memory, with optimistic concurrency. */
export class FakeClient implements Pick<Client, 'get' | 'list' | 'create' | 'update' | 'delete'> {
  readonly objects = new Map<string, KubernetesObject>();
  /** Awaited by every request; throws what a failing server answers. */
  before: () => Promise<void> | undefined = () => undefined;
  writes = 0;
  #revision = 0;
  readonly #listeners = new Map<string, () => void>();

  /** The client as the parts under test take it. */
  get client(): Client {
    return this as unknown as Client;
  }

  async get({ resource }: Resource, namespace: string, name: string): Promise<KubernetesObject | undefined> {
    await this.before();
    return structuredClone(this.objects.get(`${resource}/${namespace}/${name}`));
  }

  async list({ resource }: Resource): Promise<{ items: KubernetesObject[]; resourceVersion: string }> {
    await this.before();
    const entries = [...this.objects].filter(([key]) => key.startsWith(`${resource}/`));
    return { items: entries.map(([, object]) => object), resourceVersion: String(this.#revision) };
  }

  async create(resource: Resource, object: KubernetesObject): Promise<KubernetesObject> {
    await this.before();
    const { name, generateName } = object.metadata ?? {};
    const named =
      name === undefined && generateName !== undefined
        ? { ...object, metadata: { ...object.metadata, name: `${generateName}${this.#revision}` } }
        : object;
    const key = keyOf(resource, named);
    if (this.objects.has(key)) throw conflict(`${key} already exists`);
    return this.#store(key, named);
  }

  async update(resource: Resource, object: KubernetesObject): Promise<KubernetesObject> {
    await this.before();
    const key = keyOf(resource, object);
    const stored = this.objects.get(key)?.metadata?.resourceVersion;
    if (stored !== object.metadata?.resourceVersion) throw conflict(`${key} has been modified`);
    return this.#store(key, object);
  }

  async delete({ resource }: Resource, namespace: string, name: string): Promise<void> {
    await this.before();
    this.objects.delete(`${resource}/${namespace}/${name}`);
  }

  /** Calls a listener after each write of an object, until the returned function is called. */
  onWrite(key: string, listener: () => void): () => void {
    this.#listeners.set(key, listener);
    return () => void this.#listeners.delete(key);
  }

  /** Stores an object as another client. */
  put(key: string, object: KubernetesObject): void {
    this.objects.set(key, object);
    this.#listeners.get(key)?.();
  }

  #store(key: string, object: KubernetesObject): KubernetesObject {
    this.writes += 1;
    this.#revision += 1;
    const metadata = { ...object.metadata, resourceVersion: String(this.#revision) };
    const stored = structuredClone({ ...object, metadata });
    this.put(key, stored);
    return stored;
  }
}

const keyOf = ({ resource }: Resource, { metadata }: KubernetesObject): string =>
  `${resource}/${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`;

const conflict = (message: string): ApiError => new ApiError(409, 'Conflict', message, undefined);
