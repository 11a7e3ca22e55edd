import type { ObjectMeta, OwnerReference } from '../../model/object.ts';
import { ApiError } from '../../status/index.ts';
import type { Client } from '../client.ts';
import type { GraphNode, OwnerGraph } from './graph.ts';
import {
  FOREGROUND,
  type Kind,
  type ObservedObject,
  ORPHAN,
  waitsForDependents,
  waitsForOrphaning,
} from './objects.ts';
import { type ReferenceCheck, UnresolvableOwnerError } from './references.ts';

/** Dependents that are told at once to live without their owner. */
const ORPHANED_AT_ONCE = 16;

type Propagation = 'Orphan' | 'Foreground' | 'Background';

/** Carries out what follows from who owns whom. Every method may be called again after it has failed. */
export class Collector {
  readonly #client: Client;
  readonly #graph: OwnerGraph;
  readonly #references: ReferenceCheck;
  readonly #again: (uid: string) => void;

  /** @param again has an object examined later */
  constructor(client: Client, graph: OwnerGraph, references: ReferenceCheck, again: (uid: string) => void) {
    this.#client = client;
    this.#graph = graph;
    this.#references = references;
    this.#again = again;
  }

  /**
   * Looks at one object: whether it exists, whether its owners do, whether it still has to wait for its
   * dependents.
   */
  async examine(uid: string): Promise<void> {
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

  /** Makes the dependents of an object that is being deleted forget it, then lets it go. */
  async orphan(uid: string): Promise<void> {
    const node = this.#graph.get(uid);
    if (node?.isAlive !== true || !waitsForOrphaning(node.object!)) return;
    const waiting = [...node.dependents];
    // Clients' requests go on between any two dependents.
    let turn: Promise<unknown> = Promise.resolve();
    const failures: unknown[] = [];
    const work = async (): Promise<void> => {
      for (let dependent = waiting.pop(); dependent !== undefined; dependent = waiting.pop()) {
        turn = turn.then(() => new Promise((resolve) => setImmediate(resolve)));
        await turn;
        if (dependent.isAlive)
          await this.#removeOwners(dependent.object!, [uid]).catch((error: unknown) => failures.push(error));
      }
    };
    await Promise.all(Array.from({ length: Math.min(ORPHANED_AT_ONCE, waiting.length) }, work));
    if (failures.length > 0) throw failures[0];
    await this.#removeFinalizer(node.object!, ORPHAN);
  }

  /** Looks for an owner where its dependents say that it is. */
  async #verify(node: GraphNode): Promise<void> {
    const [first] = node.dependents;
    const reference = first?.object?.owners.find(({ uid }) => uid === node.uid);
    if (reference === undefined) return;
    const { namespace } = first!.object!;
    let exists = false;
    try {
      exists = await this.#references.exists(first!.object!, reference);
    } finally {
      // Others may mean another place by the same uid: they look for themselves.
      if (!exists)
        for (const { object, uid } of node.dependents)
          if (
            object !== undefined &&
            (node.absentAt.size > 0 ||
              object.namespace !== namespace ||
              !object.owners.some((one) => sameTarget(one, reference)))
          )
            this.#again(uid);
    }
  }

  async #decide(node: GraphNode, object: ObservedObject): Promise<void> {
    const { solid, dangling, waiting } = await this.#references.verdict(object);
    if (solid.length > 0) {
      if (dangling.length + waiting.length > 0) await this.#removeOwners(object, [...dangling, ...waiting]);
      return;
    }
    if (waiting.length > 0 && node.dependents.size > 0) {
      // Where owners go round in a circle, somebody has to stop holding up the others.
      if ([...node.dependents].some((dependent) => dependent.waitsForDependents))
        await this.#unblock(node, object);
      else await this.#delete(object, 'Foreground');
      return;
    }
    await this.#delete(object, object.orphans ? 'Orphan' : object.foreground ? 'Foreground' : 'Background');
  }

  /** Deletes what was decided on, and nothing newer: who has got an owner since then stays. */
  async #delete(
    { kind, namespace, name, uid, revision }: ObservedObject,
    propagationPolicy: Propagation,
  ): Promise<void> {
    const preconditions = { uid, resourceVersion: String(revision) };
    await unlessGone(
      this.#client.delete(kind.resource, namespace, name, { propagationPolicy, preconditions }),
    );
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
    const current = await this.#client.get(kind.resource, namespace, name, { metadataOnly: true });
    const { metadata } = current ?? {};
    if (metadata?.uid !== uid || metadata.finalizers?.includes(finalizer) !== true) return;
    const finalizers = metadata.finalizers.filter((one) => one !== finalizer);
    await this.#patch(observeVersion(kind, metadata), { finalizers });
  }

  /** Changes metadata of this very version of an object. */
  async #patch({ kind, namespace, name, uid, revision }: Version, changed: object): Promise<void> {
    const metadata = { uid, resourceVersion: String(revision), ...changed };
    await unlessGone(this.#client.patch(kind.resource, namespace, name, { metadata }));
  }
}

type Version = Pick<ObservedObject, 'kind' | 'namespace' | 'name' | 'uid' | 'revision'>;

const observeVersion = (
  kind: Kind,
  { namespace = '', name = '', uid = '', resourceVersion }: ObjectMeta,
): Version => ({
  kind,
  namespace,
  name,
  uid,
  revision: Number(resourceVersion),
});

const sameTarget = (a: OwnerReference, b: OwnerReference): boolean =>
  a.uid === b.uid && a.name === b.name && a.kind === b.kind && a.apiVersion === b.apiVersion;

async function unlessGone(request: Promise<unknown>): Promise<void> {
  try {
    await request;
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 404)) throw error;
  }
}
