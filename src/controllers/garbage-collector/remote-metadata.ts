import type { ObjectMeta } from '../../model/object.ts';
import type { Client, Resource } from '../../reconcile/client.ts';
import type { Source } from '../../reconcile/controller.ts';
import { RemoteInformer, type RemoteInformerOptions } from '../remote-informer.ts';
import { REMOTE_BOUNDS, type RemoteKind, type RemoteKinds } from '../remote-kinds.ts';
import { type Kind, type MetadataListener, observe, type StoredMetadata } from './objects.ts';

const FOLLOWED_VERBS = ['delete', 'list', 'watch'];

export interface RemoteMetadataOptions extends Pick<RemoteInformerOptions, 'clock' | 'onError'> {
  readonly client: Client;
  readonly kinds: RemoteKinds;
}

interface Followed {
  readonly kind: Kind;
  readonly informer: RemoteInformer;
}

/**
 * The metadata of the objects of extension servers: every resource that can be listed, watched and deleted is
 * followed through its server. While a server cannot be reached nothing is reported, and its objects stay as
 * they were last known; nobody waits for it.
 */
export class RemoteMetadata implements Source {
  readonly #options: RemoteMetadataOptions;
  readonly #client: Client;
  readonly #followed = new Map<string, Followed>();
  readonly synced = Promise.resolve();
  #listener: MetadataListener | undefined;
  #unsubscribe: (() => void) | undefined;
  #ended: Promise<void>[] = [];
  /** Orders what was observed: versions of an extension server are opaque. */
  #observations = 0;

  constructor(options: RemoteMetadataOptions) {
    this.#options = options;
    this.#client = options.client.bounded(REMOTE_BOUNDS);
  }

  listen(listener: MetadataListener): void {
    this.#listener = listener;
  }

  start(): void {
    this.#unsubscribe = this.#options.kinds.onChange(() => this.#follow());
    this.#follow();
  }

  async stop(): Promise<void> {
    this.#unsubscribe?.();
    for (const store of [...this.#followed.keys()]) this.#end(store);
    await Promise.all(this.#ended);
  }

  findKind(apiVersion: string, kind: string): Kind | undefined {
    const found = this.#options.kinds.findKind(apiVersion, kind);
    return found && kindOf(found);
  }

  /** @throws ApiError if the server cannot tell whether the object exists */
  async read({ resource }: Kind, namespace: string, name: string): Promise<StoredMetadata | undefined> {
    const revision = this.#observe();
    const options = { metadataOnly: true, mustBeServed: true };
    const object = await this.#client.get(resource, namespace, name, options);
    return object && { metadata: object.metadata ?? {}, revision };
  }

  /** Whether an object is among the followed ones. */
  isAnywhere({ store }: Kind, uid: string): boolean {
    for (const [, object] of this.#followed.get(store)?.informer.entries() ?? [])
      if (object.metadata().uid === uid) return true;
    return false;
  }

  #observe(): number {
    this.#observations += 1;
    return this.#observations;
  }

  /** Follows new kinds, and ends what is not registered any more. */
  #follow(): void {
    const kinds = new Map(
      this.#options.kinds
        .preferred()
        .filter(isFollowed)
        .map((kind) => [storeOf(kind), kind]),
    );
    for (const [store, { kind }] of this.#followed) {
      if (kinds.get(store)?.version === kind.resource.version) continue;
      this.#end(store);
      this.#listener?.forgetKind(store);
    }
    for (const [store, kind] of kinds) if (!this.#followed.has(store)) this.#begin(store, kindOf(kind));
    this.#listener?.addKinds();
  }

  #begin(store: string, kind: Kind): void {
    const { clock, onError } = this.#options;
    const informer = new RemoteInformer({
      client: this.#client,
      resource: kind.resource,
      clock,
      onError,
    });
    informer.onChange((_key, object, previous) =>
      this.#report(kind, object?.metadata(), previous?.metadata()),
    );
    this.#followed.set(store, { kind, informer });
    informer.start();
  }

  #end(store: string): void {
    const followed = this.#followed.get(store);
    if (followed === undefined) return;
    this.#followed.delete(store);
    const ended = followed.informer.stop().then(() => {
      this.#ended = this.#ended.filter((one) => one !== ended);
    });
    this.#ended.push(ended);
  }

  #report(kind: Kind, metadata: ObjectMeta | undefined, previous: ObjectMeta | undefined): void {
    // A deletion, or another object of the same name.
    if (previous !== undefined && previous.uid !== metadata?.uid)
      this.#listener?.remove(observe(kind, previous, this.#observe()));
    if (metadata?.uid !== undefined) this.#listener?.put(observe(kind, metadata, this.#observe()));
  }
}

const isFollowed = ({ verbs }: RemoteKind): boolean => FOLLOWED_VERBS.every((verb) => verbs.includes(verb));

/** Differs from all storage prefixes. */
const storeOf = ({ group, resource }: Resource): string => `extension server ${group}/${resource}`;

const kindOf = (resource: RemoteKind): Kind => ({
  resource,
  namespaced: resource.namespaced,
  store: storeOf(resource),
  isRemote: true,
});
