import { type CountedKind, kindKey } from '../../quota/counted.ts';
import type { ControllerContext } from '../../reconcile/controller.ts';
import { programUser } from '../../reconcile/identities.ts';
import { RemoteInformer } from '../remote-informer.ts';
import { REMOTE_BOUNDS, type RemoteKind, type RemoteKinds } from '../remote-kinds.ts';

const REQUIRED_VERBS = ['create', 'list', 'watch', 'delete'];
/** For the first list; a server that does not answer holds up no other kind. */
const FIRST_LIST_MILLISECONDS = 5000;

interface Followed {
  readonly version: string;
  readonly informer: RemoteInformer;
  isSynced: boolean;
}

/** The objects of extension servers that quotas count, as their servers list them. */
export class RemoteObjects {
  readonly #parts: ControllerContext;
  readonly #kinds: RemoteKinds;
  readonly #onChange: (kind: CountedKind, namespace: string | undefined) => void;
  readonly #followed = new Map<string, Followed>();

  /** @param onChange the number of objects may have changed; undefined: in any namespace */
  constructor(
    parts: ControllerContext,
    kinds: RemoteKinds,
    onChange: (kind: CountedKind, namespace: string | undefined) => void,
  ) {
    this.#parts = parts;
    this.#kinds = kinds;
    this.#onChange = onChange;
  }

  /** Whether an extension server has the kind, and its objects can be counted. */
  has(kind: CountedKind): boolean {
    return this.#find(kind) !== undefined;
  }

  /** Reports changes of the kinds of extension servers. @returns ends that */
  onKinds(listener: () => void): () => void {
    return this.#kinds.onChange(listener);
  }

  /** Whether the kind is followed in another version than the one to use, or is to be followed. */
  isOutdated(kind: CountedKind): boolean {
    return this.#followed.get(kindKey(kind))?.version !== this.#find(kind)?.version;
  }

  /** Follows the objects of a kind; resolves after the first list, or some seconds without one. */
  async follow(kind: CountedKind): Promise<void> {
    const resource = this.#find(kind);
    if (resource === undefined) return;
    const { informer } = this.#followed.get(kindKey(kind)) ?? this.#begin(kind, resource);
    await new Promise<void>((resolve) => {
      const cancel = this.#parts.clock.after(FIRST_LIST_MILLISECONDS, resolve);
      void informer.synced.then(() => {
        cancel();
        resolve();
      });
    });
  }

  /** The number of objects in a namespace; undefined while it is not known. */
  count(kind: CountedKind, namespace: string): number | undefined {
    const followed = this.#followed.get(kindKey(kind));
    if (followed?.isSynced !== true) return undefined;
    let count = 0;
    for (const _object of followed.informer.entries(namespace)) count += 1;
    return count;
  }

  release(kind: CountedKind): void {
    const key = kindKey(kind);
    const followed = this.#followed.get(key);
    this.#followed.delete(key);
    void followed?.informer.stop();
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#followed.values()].map(({ informer }) => informer.stop()));
  }

  #find({ group, resource }: CountedKind): RemoteKind | undefined {
    return this.#kinds
      .preferred()
      .find(
        (one) =>
          one.group === group &&
          one.resource === resource &&
          one.namespaced &&
          REQUIRED_VERBS.every((verb) => one.verbs.includes(verb)),
      );
  }

  #begin(kind: CountedKind, resource: RemoteKind): Followed {
    const { client, clock, logger } = this.#parts;
    const informer = new RemoteInformer({
      client: client(programUser('kube-controller-manager')).bounded(REMOTE_BOUNDS),
      resource,
      clock,
      onError: ({ group, resource: name }, error) =>
        logger.detail(2, 'quotas cannot count objects of an extension server; retrying', {
          resource: `${name}.${group}`,
          err: (error as Error).message,
        }),
    });
    const followed: Followed = { version: resource.version, informer, isSynced: false };
    informer.onChange((key, object, previous) => {
      const isCounted = followed.isSynced && (object === undefined) !== (previous === undefined);
      if (isCounted) this.#onChange(kind, key.slice(0, key.indexOf('/')));
    });
    this.#followed.set(kindKey(kind), followed);
    void informer.synced.then(() => {
      followed.isSynced = true;
      if (this.#followed.get(kindKey(kind)) === followed) this.#onChange(kind, undefined);
    });
    informer.start();
    return followed;
  }
}
