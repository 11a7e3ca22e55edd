import type { OwnerReference } from '../../model/object.ts';
import { type ObservedObject, waitsForDependents, waitsForOrphaning } from './objects.ts';

/** An object that owns, is owned, or waits for its dependents. */
export class GraphNode {
  /** The last observed state; undefined while only references are known. Kept after deletion. */
  object: ObservedObject | undefined;
  /** Its deletion was observed. */
  isDeleted = false;
  readonly dependents = new Set<GraphNode>();
  /** Number of dependents with blockOwnerDeletion. */
  blockingDependents = 0;
  /**
   * Coordinates at which a look-up did not find the object, and whether it exists in another namespace.
   */
  readonly absentAt = new Map<string, boolean>();
  /** The last list that contained it. */
  listing = 0;

  constructor(readonly uid: string) {}

  get isAlive(): boolean {
    return this.object !== undefined && !this.isDeleted;
  }

  /** Whether its existence has not been determined. */
  get isUnknown(): boolean {
    return this.object === undefined && this.absentAt.size === 0;
  }

  get waitsForDependents(): boolean {
    return this.isAlive && waitsForDependents(this.object!);
  }
}

/** Requests for work on nodes. */
export interface GraphEvents {
  /** The node's references, dependents or existence must be examined. */
  examine(node: GraphNode): void;
  /** The node's dependents must be orphaned. */
  orphan(node: GraphNode): void;
  /** The node left the graph. */
  drop(node: GraphNode): void;
}

/** Whether the kind, name and namespace of a reference match an object. */
export type MatchesReference = (
  dependent: ObservedObject,
  reference: OwnerReference,
  owner: ObservedObject,
) => boolean;

/** Objects with more owners use an index and do not share references. */
const FEW_OWNERS = 8;

const blocks = ({ blockOwnerDeletion }: OwnerReference): boolean => blockOwnerDeletion === true;

/**
 * The graph of owner references, by uid. It has nodes only for objects that own, are owned, or wait for
 * dependents; other objects take no memory. Changes arrive in the order of revisions, so a known object is as
 * recent as a response of the server.
 */
export class OwnerGraph {
  readonly #nodes = new Map<string, GraphNode>();
  /** Nodes of existing objects by kind. */
  readonly #byStore = new Map<string, Set<GraphNode>>();
  readonly #events: GraphEvents;
  readonly #refers: MatchesReference;
  #listing = 0;

  constructor(events: GraphEvents, refers: MatchesReference) {
    this.#events = events;
    this.#refers = refers;
  }

  get size(): number {
    return this.#nodes.size;
  }

  get(uid: string): GraphNode | undefined {
    return this.#nodes.get(uid);
  }

  /** A full list starts. */
  startListing(): void {
    this.#listing += 1;
  }

  /**
   * The list is complete. Objects that it did not contain may be deleted, or of a kind that is never listed:
   * they are examined again. Objects of extension servers are listed separately.
   */
  finishListing(): void {
    for (const node of [...this.#nodes.values()])
      if (node.isAlive && node.listing < this.#listing && node.object!.kind.isRemote !== true)
        this.#forget(node);
  }

  /** Adds or updates an object at a revision; outdated revisions are ignored. */
  put(object: ObservedObject): void {
    let node = this.#nodes.get(object.uid);
    const waits = waitsForDependents(object) || waitsForOrphaning(object);
    if (node === undefined) {
      if (object.owners.length === 0 && !waits) return;
      node = this.#create(object.uid);
    }
    node.listing = this.#listing;
    if (node.object !== undefined && node.object.revision >= object.revision) return;
    const before = node.isAlive ? node.object : undefined;
    const known = this.#shareReferences(object);
    node.object = known;
    node.isDeleted = false;
    this.#addToKind(node, known.kind.store);
    node.absentAt.clear();
    this.#changeOwners(node, before?.owners ?? [], known.owners);
    if (before === undefined) this.#introduce(node, known);
    if (waitsForDependents(known) && !(before !== undefined && waitsForDependents(before))) {
      for (const dependent of node.dependents) this.#events.examine(dependent);
      this.#events.examine(node);
    }
    if (waitsForOrphaning(known) && !(before !== undefined && waitsForOrphaning(before)))
      this.#events.orphan(node);
    this.#prune(node);
  }

  /** Removes an object. @param object its last state, at the revision of the deletion */
  remove(object: ObservedObject): void {
    const node = this.#nodes.get(object.uid);
    if (node === undefined || (node.object !== undefined && node.object.revision > object.revision)) return;
    const owners = node.isAlive ? node.object!.owners : [];
    this.#removeFromKind(node);
    node.object = object;
    node.isDeleted = true;
    this.#changeOwners(node, owners, []);
    for (const dependent of node.dependents) this.#events.examine(dependent);
    this.#prune(node);
  }

  /** Forgets the objects of a kind that are not reported any more: they may exist. */
  forgetKind(store: string): void {
    for (const node of [...(this.#byStore.get(store) ?? [])]) this.#forget(node);
  }

  #forget(node: GraphNode): void {
    const { owners } = node.object!;
    this.#removeFromKind(node);
    node.object = undefined;
    this.#changeOwners(node, owners, []);
    if (node.dependents.size > 0) this.#events.examine(node);
    this.#prune(node);
  }

  #create(uid: string): GraphNode {
    const node = new GraphNode(uid);
    this.#nodes.set(uid, node);
    return node;
  }

  /**
   * Examines dependents known before their owner whose reference does not match it.
   */
  #introduce(node: GraphNode, object: ObservedObject): void {
    for (const dependent of node.dependents) {
      const reference = dependent.object?.owners.find(({ uid }) => uid === node.uid);
      if (reference !== undefined && !this.#refers(dependent.object!, reference, object))
        this.#events.examine(dependent);
    }
  }

  #changeOwners(node: GraphNode, before: readonly OwnerReference[], after: readonly OwnerReference[]): void {
    if (before === after) return;
    const previously = finder(before);
    const now = finder(after);
    for (const reference of before) {
      // A self-reference blocks nothing.
      if (reference.uid === node.uid) continue;
      const next = now(reference.uid);
      const owner = this.#nodes.get(reference.uid);
      if (owner === undefined) continue;
      if (blocks(reference)) owner.blockingDependents -= 1;
      if (next !== undefined) continue;
      owner.dependents.delete(node);
      this.#prune(owner);
    }
    for (const reference of after) {
      if (reference.uid === node.uid) continue;
      const owner = this.#nodes.get(reference.uid) ?? this.#create(reference.uid);
      if (blocks(reference)) owner.blockingDependents += 1;
      const previous = previously(reference.uid);
      const isNew = owner.dependents.size === 0 && owner.object === undefined;
      owner.dependents.add(node);
      // The existence of a new owner is checked once for all of its dependents.
      if (isNew) this.#events.examine(owner);
      else if (previous === undefined || !sameReference(previous, reference))
        this.#checkReference(node, reference, owner);
    }
    for (const { uid } of before) {
      const owner = this.#nodes.get(uid);
      if (owner?.waitsForDependents === true && owner.blockingDependents === 0) this.#events.examine(owner);
    }
  }

  #checkReference(node: GraphNode, reference: OwnerReference, owner: GraphNode): void {
    if (owner.isUnknown) return;
    if (!owner.isAlive || owner.waitsForDependents || !this.#refers(node.object!, reference, owner.object!))
      this.#events.examine(node);
  }

  /** Shares equal references between dependents of an owner, to save memory. */
  #shareReferences(object: ObservedObject): ObservedObject {
    if (object.owners.length === 0 || object.owners.length > FEW_OWNERS) return object;
    const owners = object.owners.map((reference) => {
      const [other] = this.#nodes.get(reference.uid)?.dependents ?? [];
      const { owners: others = [] } = other?.object ?? {};
      const shared = others.length > FEW_OWNERS ? undefined : others.find(({ uid }) => uid === reference.uid);
      return shared !== undefined && sameReference(shared, reference) ? shared : reference;
    });
    return { ...object, owners };
  }

  #prune(node: GraphNode): void {
    if (node.dependents.size > 0) return;
    const { object } = node;
    if (
      node.isAlive &&
      (object!.owners.length > 0 || waitsForDependents(object!) || waitsForOrphaning(object!))
    )
      return;
    this.#removeFromKind(node);
    this.#nodes.delete(node.uid);
    this.#events.drop(node);
  }

  #addToKind(node: GraphNode, store: string): void {
    const known = this.#byStore.get(store);
    if (known === undefined) this.#byStore.set(store, new Set([node]));
    else known.add(node);
  }

  #removeFromKind(node: GraphNode): void {
    const store = node.object?.kind.store ?? '';
    const known = this.#byStore.get(store);
    if (known?.delete(node) === true && known.size === 0) this.#byStore.delete(store);
  }
}

/** Looks up references by uid in constant time. */
function finder(references: readonly OwnerReference[]): (uid: string) => OwnerReference | undefined {
  if (references.length <= FEW_OWNERS) return (uid) => references.find((one) => one.uid === uid);
  const byUid = new Map(references.map((one) => [one.uid, one]));
  return (uid) => byUid.get(uid);
}

const sameReference = (a: OwnerReference, b: OwnerReference): boolean =>
  a.uid === b.uid &&
  a.name === b.name &&
  a.kind === b.kind &&
  a.apiVersion === b.apiVersion &&
  a.controller === b.controller &&
  a.blockOwnerDeletion === b.blockOwnerDeletion;
