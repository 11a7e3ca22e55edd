import { Pace } from '../steps/pace.ts';
import { runNow } from '../steps/run.ts';
import type { Steps } from '../steps/steps.ts';
import { FieldSet } from './field-set.ts';
import type { PathElement } from './path-element.ts';
import { SHARED_CHILDREN, SharedNodes } from './shared-nodes.ts';

/**
 * Collects paths into a set. Items of a long list mostly have the same members: a node is completed when a path
 * outside of it is added, and is then in memory once for all equal nodes. Paths may be added in any order.
 */
export class FieldSetBuilder {
  readonly #shared = new SharedNodes();
  readonly #root = new OpenNode();

  add(path: readonly PathElement[]): void {
    let node = this.#root;
    const last = path.length - 1;
    for (let index = 0; index < last; index += 1) node = node.inner(path[index]!, this.#shared);
    if (last < 0) node.member = true;
    else node.addMember(path[last]!, this.#shared);
  }

  /** Returns the set. Nothing may be added afterwards. */
  build(): Steps<FieldSet> {
    return this.#root.build(this.#shared, new Pace());
  }
}

type Node = FieldSet | OpenNode;

/** A node to which members can be added without a copy. */
class OpenNode {
  #children: Map<PathElement, Node> | undefined;
  /** The child below which the latest path was added. */
  #latest: OpenNode | undefined;
  #latestElement: PathElement | undefined;

  member: boolean;

  /** @param set what the node has already */
  constructor(set = FieldSet.empty) {
    this.member = set.member;
    if (set.children.size > 0) this.#children = new Map(set.children);
  }

  /** The open node of a child. */
  inner(element: PathElement, shared: SharedNodes): OpenNode {
    if (element === this.#latestElement) return this.#latest!;
    this.#complete(shared);
    const known = this.#children?.get(element);
    const inner = known instanceof OpenNode ? known : new OpenNode(known);
    this.#set(element, inner);
    this.#latest = inner;
    this.#latestElement = element;
    return inner;
  }

  addMember(element: PathElement, shared: SharedNodes): void {
    if (element === this.#latestElement) {
      this.#latest!.member = true;
      return;
    }
    this.#complete(shared);
    const known = this.#children?.get(element);
    if (known === undefined) this.#set(element, FieldSet.leaf);
    else if (known instanceof OpenNode) known.member = true;
    else if (!known.member) this.#set(element, new FieldSet(true, known.children));
  }

  #set(element: PathElement, child: Node): void {
    this.#children ??= new Map();
    this.#children.set(element, child);
  }

  /** Completes the latest child. */
  #complete(shared: SharedNodes): void {
    const latest = this.#latest;
    if (latest === undefined) return;
    this.#latest = undefined;
    const completed = latest.#completed(shared);
    if (completed !== undefined) this.#set(this.#latestElement!, completed);
    this.#latestElement = undefined;
  }

  /** The node as part of a set; undefined for one that has many children or open ones. */
  #completed(shared: SharedNodes): FieldSet | undefined {
    this.#complete(shared);
    const children = this.#children;
    if (children === undefined) return FieldSet.leaf;
    if (children.size > SHARED_CHILDREN) return undefined;
    for (const child of children.values()) if (child instanceof OpenNode) return undefined;
    return shared.of(new FieldSet(this.member, children as Map<PathElement, FieldSet>));
  }

  /** Takes the node's own map for the set. */
  *build(shared: SharedNodes, pace: Pace): Steps<FieldSet> {
    this.#complete(shared);
    const children = this.#children;
    if (children === undefined) return this.member ? FieldSet.leaf : FieldSet.empty;
    for (const [element, child] of children) {
      if (pace.isPause()) yield;
      if (child instanceof OpenNode) children.set(element, yield* child.build(shared, pace));
    }
    return new FieldSet(this.member, children as Map<PathElement, FieldSet>);
  }
}

/** The set of some paths. */
export function fieldSetOf(...paths: readonly (readonly PathElement[])[]): FieldSet {
  const builder = new FieldSetBuilder();
  for (const path of paths) builder.add(path);
  return runNow(builder.build());
}
