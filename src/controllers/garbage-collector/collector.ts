import type { OwnerReference } from '../../model/object.ts';
import type { Client } from '../../reconcile/client.ts';
import { ApiError } from '../../status/index.ts';
import { yieldToEventLoop } from '../../time/event-loop.ts';
import { REMOTE_BOUNDS } from '../remote-kinds.ts';
import type { GraphNode, OwnerGraph } from './graph.ts';
import {
  FOREGROUND,
  type Kind,
  type MetadataSource,
  type ObservedObject,
  ORPHAN,
  observe,
  waitsForDependents,
  waitsForOrphaning,
} from './objects.ts';
import { type ReferenceCheck, UnknownKindError, UnresolvableOwnerError } from './references.ts';
import type { WaitingReferences } from './waiting-references.ts';

/** Maximum concurrent patches that orphan dependents. */
const ORPHAN_CONCURRENCY = 16;

type Propagation = 'Orphan' | 'Foreground' | 'Background';

export interface CollectorOptions {
  readonly client: Client;
  readonly graph: OwnerGraph;
  readonly references: ReferenceCheck;
  readonly source: MetadataSource;
  /** Receives objects whose owners have kinds that are not served. */
  readonly waiting: WaitingReferences;
  /** Adds an object to the work queue. */
  readonly enqueue: (uid: string) => void;
}

/** Deletes, orphans and unblocks objects by their owner references. Every method may be retried. */
export class Collector {
  readonly #client: Client;
  /** For the objects of extension servers. */
  readonly #remote: Client;
  readonly #graph: OwnerGraph;
  readonly #references: ReferenceCheck;
  readonly #source: MetadataSource;
  readonly #waiting: WaitingReferences;
  readonly #enqueue: (uid: string) => void;

  constructor({ client, graph, references, source, waiting, enqueue }: CollectorOptions) {
    this.#client = client;
    this.#remote = client.bounded(REMOTE_BOUNDS);
    this.#graph = graph;
    this.#references = references;
    this.#source = source;
    this.#waiting = waiting;
    this.#enqueue = enqueue;
  }

  /**
   * Examines one object: whether it exists, whether its owners exist, and whether it still waits for
   * dependents. An object with an owner of an unknown kind waits until the kind is served.
   */
  async examine(uid: string): Promise<void> {
    try {
      await this.#examine(uid);
    } catch (error) {
      if (!(error instanceof UnknownKindError)) throw error;
      const { apiVersion, kind } = error.reference;
      if (this.#graph.get(uid) === undefined) return;
      if (this.#source.findKind(apiVersion, kind) !== undefined) this.#enqueue(uid);
      else this.#waiting.add(uid, error.reference);
    }
  }

  async #examine(uid: string): Promise<void> {
    const node = this.#graph.get(uid);
    if (node === undefined || node.isDeleted) return;
    if (node.object === undefined) return this.#verify(node);
    const { object } = node;
    if (waitsForDependents(object)) {
      if (node.blockingDependents === 0) await this.#removeFinalizer(object, FOREGROUND);
      return;
    }
    if (object.deleting || object.owners.length === 0) return;
    try {
      await this.#decide(node, object);
    } catch (error) {
      if (!(error instanceof UnresolvableOwnerError)) throw error;
    }
  }

  /**
   * Removes the owner references to a terminating object from its dependents, then removes its orphan
   * finalizer.
   */
  async orphan(uid: string): Promise<void> {
    const node = this.#graph.get(uid);
    if (node?.isAlive !== true || !waitsForOrphaning(node.object!)) return;
    const waiting = [...node.dependents];
    // Yields to the event loop between dependents.
    let previousTurn: Promise<unknown> = Promise.resolve();
    const failures: unknown[] = [];
    const work = async (): Promise<void> => {
      for (let dependent = waiting.pop(); dependent !== undefined; dependent = waiting.pop()) {
        previousTurn = previousTurn.then(yieldToEventLoop);
        await previousTurn;
        if (dependent.isAlive)
          await this.#removeOwners(dependent.object!, [uid]).catch((error: unknown) => failures.push(error));
      }
    };
    await Promise.all(Array.from({ length: Math.min(ORPHAN_CONCURRENCY, waiting.length) }, work));
    if (failures.length > 0) throw failures[0];
    await this.#removeFinalizer(node.object!, ORPHAN);
  }

  /** Looks up an owner that is known only from references. */
  async #verify(node: GraphNode): Promise<void> {
    const [first] = node.dependents;
    const reference = first?.object?.owners.find(({ uid }) => uid === node.uid);
    if (reference === undefined) return;
    const { namespace } = first!.object!;
    let exists = false;
    try {
      exists = await this.#references.exists(first!.object!, reference);
    } finally {
      // Dependents that refer to the uid with other coordinates are examined separately.
      if (!exists)
        for (const { object, uid } of node.dependents)
          if (
            object !== undefined &&
            (node.absentAt.size > 0 ||
              object.namespace !== namespace ||
              !object.owners.some((one) => sameTarget(one, reference)))
          )
            this.#enqueue(uid);
    }
  }

  async #decide(node: GraphNode, object: ObservedObject): Promise<void> {
    const { solid, dangling, waiting } = await this.#references.verdict(object);
    if (solid.length > 0) {
      if (dangling.length + waiting.length > 0) await this.#removeOwners(object, [...dangling, ...waiting]);
      return;
    }
    if (waiting.length > 0 && node.dependents.size > 0) {
      // A cycle of owners: unblock the deletion of this object's owners.
      if ([...node.dependents].some((dependent) => dependent.waitsForDependents))
        await this.#unblock(node, object);
      else await this.#delete(object, 'Foreground');
      return;
    }
    await this.#delete(object, object.orphans ? 'Orphan' : object.foreground ? 'Foreground' : 'Background');
  }

  /** Deletes exactly the examined version: an object that gained an owner since then is kept. */
  async #delete(object: ObservedObject, propagationPolicy: Propagation): Promise<void> {
    const { kind, namespace, name } = object;
    await ignoreNotFound(
      this.#clientOf(kind).delete(kind.resource, namespace, name, {
        propagationPolicy,
        preconditions: versionOf(object),
      }),
    );
  }

  #clientOf({ isRemote }: Kind): Client {
    return isRemote === true ? this.#remote : this.#client;
  }

  async #removeOwners(object: ObservedObject, uids: readonly string[]): Promise<void> {
    const removed = new Set(uids);
    const ownerReferences = object.owners.filter(({ uid }) => !removed.has(uid));
    if (ownerReferences.length < object.owners.length) await this.#patch(object, { ownerReferences });
  }

  async #unblock(node: GraphNode, object: ObservedObject): Promise<void> {
    if (object.owners.some(({ blockOwnerDeletion }) => blockOwnerDeletion === true))
      await this.#patch(object, {
        ownerReferences: object.owners.map((owner) => ({ ...owner, blockOwnerDeletion: false })),
      });
    if (node.isAlive) await this.#delete(node.object!, 'Foreground');
  }

  async #removeFinalizer({ kind, namespace, name, uid }: ObservedObject, finalizer: string): Promise<void> {
    const { metadata, revision = 0 } = (await this.#source.read(kind, namespace, name)) ?? {};
    if (metadata?.uid !== uid || metadata.finalizers?.includes(finalizer) !== true) return;
    const finalizers = metadata.finalizers.filter((one) => one !== finalizer);
    await this.#patch(observe(kind, metadata, revision), { finalizers });
  }

  /** Patches metadata of exactly this version of an object. */
  async #patch(object: ObservedObject, changed: object): Promise<void> {
    const { kind, namespace, name } = object;
    const metadata = { ...versionOf(object), ...changed };
    await ignoreNotFound(this.#clientOf(kind).patch(kind.resource, namespace, name, { metadata }));
  }
}

/** The preconditions of a write to exactly this version. */
const versionOf = ({ kind, uid, revision, resourceVersion }: ObservedObject) => ({
  uid,
  resourceVersion: kind.isRemote === true ? resourceVersion : String(revision),
});

const sameTarget = (a: OwnerReference, b: OwnerReference): boolean =>
  a.uid === b.uid && a.name === b.name && a.kind === b.kind && a.apiVersion === b.apiVersion;

/** Ignores that the object is absent, but not that its kind is not served. */
async function ignoreNotFound(request: Promise<unknown>): Promise<void> {
  try {
    await request;
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 404 && error.reason === 'NotFound')) throw error;
  }
}
