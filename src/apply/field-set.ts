import { runNow } from '../steps/run.ts';
import { stepSizes } from '../steps/sizes.ts';
import { sortInSteps } from '../steps/sort.ts';
import type { Steps } from '../steps/steps.ts';
import { compareElements, sortElements } from './element-order.ts';
import { ANY_ELEMENT, type PathElement } from './path-element.ts';

/**
 * A set of fields, as a tree: a node is a member itself, has members below it, or both. Sets are shared and
 * immutable; operations return one of their operands when nothing changes.
 */
export class FieldSet {
  static readonly empty = new FieldSet(false, new Map());
  /** A field without members below it, like most nodes. */
  static readonly leaf = new FieldSet(true, FieldSet.empty.children);
  /** FieldsV1 text of the node as a child, cached on first use. */
  text: string | undefined;

  constructor(
    /** Whether the field of this node is in the set. */
    readonly member: boolean,
    readonly children: ReadonlyMap<PathElement, FieldSet>,
  ) {}

  /** Whether the set is empty. Empty child nodes are never kept. */
  get isEmpty(): boolean {
    return !this.member && this.children.size === 0;
  }

  union(other: FieldSet): FieldSet {
    if (other === this || other.isEmpty) return this;
    if (this.isEmpty) return other;
    let children: Map<PathElement, FieldSet> | undefined;
    for (const [element, theirs] of other.children) {
      const ours = this.children.get(element);
      const joined = ours === undefined ? theirs : ours.union(theirs);
      if (joined === ours) continue;
      children ??= new Map(this.children);
      children.set(element, joined);
    }
    const member = this.member || other.member;
    return children === undefined && member === this.member
      ? this
      : new FieldSet(member, children ?? this.children);
  }

  /**
   * The union of many sets. Each is traversed once, and nodes are built at the end instead of being copied
   * for each `union`.
   */
  static unionOf(sets: readonly FieldSet[]): FieldSet {
    if (sets.length < 2) return sets[0] ?? FieldSet.empty;
    if (sets.length === 2) return sets[0]!.union(sets[1]!);
    const below = new Map<PathElement, FieldSet[]>();
    let member = false;
    for (const set of sets) {
      member ||= set.member;
      for (const [element, child] of set.children) {
        const same = below.get(element);
        if (same === undefined) below.set(element, [child]);
        else if (same.at(-1) !== child) same.push(child);
      }
    }
    const children = new Map<PathElement, FieldSet>();
    for (const [element, same] of below) children.set(element, FieldSet.unionOf(same));
    return make(member, children);
  }

  intersection(other: FieldSet): FieldSet {
    if (other === this) return this;
    const [small, large] = this.children.size <= other.children.size ? [this, other] : [other, this];
    let children: Map<PathElement, FieldSet> | undefined;
    for (const [element, ours] of small.children) {
      const theirs = large.children.get(element);
      const common = theirs === undefined ? FieldSet.empty : ours.intersection(theirs);
      if (common.isEmpty) continue;
      children ??= new Map();
      children.set(element, common);
    }
    return make(this.member && other.member, children ?? FieldSet.empty.children);
  }

  /** The members that are not in the other set; members below a member of the other are kept. */
  difference(other: FieldSet): FieldSet {
    return this.#without(other, false);
  }

  /** The members that are neither in the other set nor below one of its members. */
  recursiveDifference(other: FieldSet): FieldSet {
    return other.member ? FieldSet.empty : this.#without(other, true);
  }

  /** The members of a pattern and those below them. */
  within(pattern: FieldSet): FieldSet {
    if (pattern.member || this.isEmpty) return this;
    const any = pattern.children.get(ANY_ELEMENT);
    const children = new Map<PathElement, FieldSet>();
    for (const [element, child] of this.children) {
      const below = pattern.children.get(element) ?? any;
      const kept = below === undefined ? FieldSet.empty : child.within(below);
      if (!kept.isEmpty) children.set(element, kept);
    }
    return make(false, children);
  }

  #without(other: FieldSet, below: boolean): FieldSet {
    if (other.isEmpty || this.isEmpty) return this;
    // Often a large set is removed from many small ones: iterate over the smaller side.
    const children =
      this.children.size <= other.children.size
        ? this.#keptOf(other, below)
        : this.#withoutChildrenOf(other, below);
    const member = this.member && !other.member;
    return children === undefined && member === this.member ? this : make(member, children ?? this.children);
  }

  /** The children that remain without a larger set; undefined when all do. */
  #keptOf(other: FieldSet, below: boolean): Map<PathElement, FieldSet> | undefined {
    let kept: Map<PathElement, FieldSet> | undefined;
    let same = 0;
    for (const [element, ours] of this.children) {
      const theirs = other.children.get(element);
      const rest = theirs === undefined ? ours : ours.#minus(theirs, below);
      if (rest === ours && kept === undefined) {
        same += 1;
        continue;
      }
      kept ??= firstOf(this.children, same);
      if (!rest.isEmpty) kept.set(element, rest);
    }
    return kept;
  }

  /** The children that remain without a smaller set; undefined when all do. */
  #withoutChildrenOf(other: FieldSet, below: boolean): Map<PathElement, FieldSet> | undefined {
    let children: Map<PathElement, FieldSet> | undefined;
    for (const [element, theirs] of other.children) {
      const ours = this.children.get(element);
      if (ours === undefined) continue;
      const rest = ours.#minus(theirs, below);
      if (rest === ours) continue;
      children ??= new Map(this.children);
      if (rest.isEmpty) children.delete(element);
      else children.set(element, rest);
    }
    return children;
  }

  #minus(other: FieldSet, below: boolean): FieldSet {
    return below ? this.recursiveDifference(other) : this.difference(other);
  }

  equals(other: FieldSet): boolean {
    if (other === this) return true;
    if (this.member !== other.member || this.children.size !== other.children.size) return false;
    for (const [element, ours] of this.children) {
      const theirs = other.children.get(element);
      if (theirs === undefined || !ours.equals(theirs)) return false;
    }
    return true;
  }

  /** Children in FieldsV1 order. */
  sorted(): [PathElement, FieldSet][] {
    return runNow(this.sortedElements()).map((element) => [element, this.children.get(element)!]);
  }

  /** The elements of the children in FieldsV1 order, in steps. */
  *sortedElements(): Steps<PathElement[]> {
    const elements = [...this.children.keys()];
    if (elements.length < stepSizes.nodes) return isSorted(elements) ? elements : sortElements(elements);
    return yield* sortInSteps(elements, compareElements, stepSizes.values);
  }

  /** Paths of the first members, at most `maximum`: those of a node before those of its children. */
  paths(maximum = Number.POSITIVE_INFINITY): PathElement[][] {
    const found: PathElement[][] = [];
    this.#addPaths([], found, maximum);
    return found;
  }

  #addPaths(prefix: readonly PathElement[], found: PathElement[][], maximum: number): void {
    const members: PathElement[] = [];
    const parents: PathElement[] = [];
    for (const [element, child] of this.children) {
      if (child.member) members.push(element);
      if (child.children.size > 0) parents.push(element);
    }
    for (const element of firstElements(members, maximum - found.length)) found.push([...prefix, element]);
    for (const element of firstElements(parents, maximum - found.length))
      this.children.get(element)!.#addPaths([...prefix, element], found, maximum);
  }

  /** Number of members. */
  get size(): number {
    let size = this.member ? 1 : 0;
    for (const child of this.children.values()) size += child.size;
    return size;
  }
}

/** The first elements in order, at most `maximum`: the others need not be sorted. */
function firstElements(elements: PathElement[], maximum: number): PathElement[] {
  if (elements.length <= maximum) return sortElements(elements);
  let kept: PathElement[] = [];
  let last: PathElement | undefined;
  for (const element of elements) {
    if (last !== undefined && compareElements(element, last) > 0) continue;
    kept.push(element);
    if (kept.length < 2 * maximum) continue;
    kept = sortElements(kept).slice(0, maximum);
    last = kept.at(-1);
  }
  return sortElements(kept).slice(0, maximum);
}

/** A copy of the first children. */
function firstOf(children: ReadonlyMap<PathElement, FieldSet>, count: number): Map<PathElement, FieldSet> {
  const copy = new Map<PathElement, FieldSet>();
  for (const [element, child] of children) {
    if (copy.size >= count) break;
    copy.set(element, child);
  }
  return copy;
}

function isSorted(elements: readonly PathElement[]): boolean {
  for (let index = 1; index < elements.length; index += 1)
    if (compareElements(elements[index - 1]!, elements[index]!) > 0) return false;
  return true;
}

function make(member: boolean, children: ReadonlyMap<PathElement, FieldSet>): FieldSet {
  if (children.size === 0) return member ? FieldSet.leaf : FieldSet.empty;
  return new FieldSet(member, children);
}
