import type { OwnerReference } from '../../model/object.ts';
import { type ObservedObject, waitsForDependents, waitsForOrphaning } from './objects.ts';

/** An object that owns, is owned, or waits for its dependents. */
export class GraphNode {
  /** As last seen; undefined while only references tell of it. It stays when the object is gone. */
  object: ObservedObject | undefined;
  /** Its deletion has been seen. */
  isDeleted = false;
  readonly dependents = new Set<GraphNode>();
  /** Dependents that hold its deletion up, where that waits for dependents. */
  blockingDependents = 0;
  /**
   * Places named by references where a look showed that it is not, with whether it was found in another
   * namespace.
   */
  readonly absentAt = new Map<string, boolean>();
  /** The listing it was last part of. */
  listing = 0;

  constructor(readonly uid: string) {}

  get isAlive(): boolean {
    return this.object !== undefined && !this.isDeleted;
  }

  /** Whether it exists is yet to be found out. */
  get isUnknown(): boolean {
    return this.object === undefined && this.absentAt.size === 0;
  }

  get waitsForDependents(): boolean {
    return this.isAlive && waitsForDependents(this.object!);
  }
}

/** Nodes that something has to be done about. */
export interface GraphEvents {
  /** Its references, its dependents, or whether it exists have to be looked at. */
  examine(node: GraphNode): void;
  /** Its dependents have to be told to live without it. */
  orphan(node: GraphNode): void;
}

/** Whether a reference's kind and name, seen from its dependent, are those of an object. */
export type Refers = (dependent: ObservedObject, reference: OwnerReference, owner: ObservedObject) => boolean;

/** Objects with more owners are not searched for words that they share with others. */
const FEW = 8;

const blocks = ({ blockOwnerDeletion }: OwnerReference): boolean => blockOwnerDeletion === true;

/**
 * Who owns whom, by uid. It has nodes only for objects that own, are owned, or wait for their dependents: the
 * many that do neither take no memory. It is told of changes in the order of revisions, so that what it says
 * of an object that it knows is as recent as any answer of the server.
 */
export class OwnerGraph {
  readonly #nodes = new Map<string, GraphNode>();
  readonly #events: GraphEvents;
  readonly #refers: Refers;
  #listing = 0;

  constructor(events: GraphEvents, refers: Refers) {
    this.#events = events;
    this.#refers = refers;
  }

  get size(): number {
    return this.#nodes.size;
  }

  get(uid: string): GraphNode | undefined {
    return this.#nodes.get(uid);
  }

  /** A listing of everything begins. */
  startListing(): void {
    this.#listing += 1;
  }

  /**
   * The listing is complete. What was not part of it may be gone, or of a kind that is never listed: its
   * dependents ask for it again.
   */
  finishListing(): void {
    for (const node of [...this.#nodes.values()])
      if (node.isAlive && node.listing < this.#listing) this.#forget(node);
  }

  /** An object as it is at a revision; what is known to be newer wins. */
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

  /** An object is gone. @param object as it was last, at the revision of its deletion */
  remove(object: ObservedObject): void {
    const node = this.#nodes.get(object.uid);
    if (node === undefined || (node.object !== undefined && node.object.revision > object.revision)) return;
    const owners = node.isAlive ? node.object!.owners : [];
    node.object = object;
    node.isDeleted = true;
    this.#changeOwners(node, owners, []);
    for (const dependent of node.dependents) this.#events.examine(dependent);
    this.#prune(node);
  }

  #forget(node: GraphNode): void {
    const { owners } = node.object!;
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
   * Dependents that were known before their owner: those that look for it elsewhere are wrong, or owned by
   * somebody else.
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
      // Who owns itself holds nothing up.
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
      // Whether an owner that nobody has named before exists is found out once for all who name it.
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

  /** Most dependents of an owner name it in the same words: they share one reference, and the texts in it. */
  #shareReferences(object: ObservedObject): ObservedObject {
    if (object.owners.length === 0 || object.owners.length > FEW) return object;
    const owners = object.owners.map((reference) => {
      const [other] = this.#nodes.get(reference.uid)?.dependents ?? [];
      const { owners: others = [] } = other?.object ?? {};
      const shared = others.length > FEW ? undefined : others.find(({ uid }) => uid === reference.uid);
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
    this.#nodes.delete(node.uid);
  }
}

/** Finds references by uid, in a time that does not grow with their number. */
function finder(references: readonly OwnerReference[]): (uid: string) => OwnerReference | undefined {
  if (references.length <= FEW) return (uid) => references.find((one) => one.uid === uid);
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
