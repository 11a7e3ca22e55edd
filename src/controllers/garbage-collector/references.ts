import { BinnacleError } from '../../errors/binnacle-error.ts';
import type { OwnerReference } from '../../model/object.ts';
import { yieldToEventLoop } from '../../time/event-loop.ts';
import type { GraphNode, OwnerGraph } from './graph.ts';
import { type Kind, type MetadataSource, type ObservedObject, observe } from './objects.ts';
import type { UnknownOwners } from './unknown-owners.ts';

/** Owners checked before yielding to the event loop. */
const YIELD_INTERVAL = 500;

/** The owner references of one object, classified. */
export interface ClassifiedOwners {
  /** Uids of existing owners. */
  readonly solid: readonly string[];
  /** Uids of absent owners. */
  readonly dangling: readonly string[];
  /** Uids of owners in foreground deletion, which wait for their dependents. */
  readonly waiting: readonly string[];
}

/**
 * The kind of an owner is not served, so its existence is unknown. Nothing is deleted because of it.
 */
export class UnknownKindError extends BinnacleError {
  override name = 'UnknownKindError';
  readonly code = 'ERR_BINNACLE_UNKNOWN_KIND';

  constructor(readonly reference: OwnerReference) {
    const { apiVersion, kind, name } = reference;
    super(`owner ${apiVersion} ${kind} ${name} has a kind that is not served`);
  }
}

/**
 * A cluster-scoped object refers to a namespaced owner, which cannot be resolved.
 */
export class UnresolvableOwnerError extends BinnacleError {
  override name = 'UnresolvableOwnerError';
  readonly code = 'ERR_BINNACLE_UNRESOLVABLE_OWNER';
}

export interface ReferenceCheckOptions {
  readonly graph: OwnerGraph;
  readonly source: MetadataSource;
  /** Called for a reference whose owner is in another namespace than the object. */
  readonly onWrongNamespace: (dependent: ObservedObject, reference: OwnerReference) => Promise<void>;
  /** Undefined: absent owners are absent, whether they were stored before or not. */
  readonly unknownOwners: UnknownOwners | undefined;
}

/**
 * Determines which owners of an object exist. An owner counts as absent only when its deletion was observed
 * or the store does not contain it; an owner of a kind that is not served is never absent, nor is one that
 * {@link UnknownOwners} keeps.
 */
export class ReferenceCheck {
  readonly #options: ReferenceCheckOptions;

  constructor(options: ReferenceCheckOptions) {
    this.#options = options;
  }

  /** @throws UnknownKindError, UnresolvableOwnerError, ApiError */
  async verdict(object: ObservedObject): Promise<ClassifiedOwners> {
    const solid: string[] = [];
    const dangling: string[] = [];
    const waiting: string[] = [];
    for (const [index, reference] of object.owners.entries()) {
      const { uid } = reference;
      if (index % YIELD_INTERVAL === YIELD_INTERVAL - 1) await yieldToEventLoop();
      if (uid === object.uid) solid.push(uid);
      else if (!(await this.exists(object, reference))) dangling.push(uid);
      else (this.#options.graph.get(uid)?.waitsForDependents === true ? waiting : solid).push(uid);
    }
    return { solid, dangling, waiting };
  }

  /** Whether the owner of a reference exists. Adds a found owner to the graph. */
  async exists(object: ObservedObject, reference: OwnerReference): Promise<boolean> {
    const { graph, source } = this.#options;
    const node = graph.get(reference.uid);
    // Checked before the kind, which may have been removed with its objects.
    if (node?.isDeleted === true && isNamedBy(object, reference, node.object!)) return false;
    const kind = source.findKind(reference.apiVersion, reference.kind);
    if (kind === undefined) throw new UnknownKindError(reference);
    if (kind.namespaced && object.namespace === '') {
      if (await this.#isElsewhere(object, reference, kind, node))
        await this.#options.onWrongNamespace(object, reference);
      throw new UnresolvableOwnerError(
        `owner ${reference.apiVersion} ${reference.kind} ${reference.name} is namespaced, but its dependent is cluster-scoped`,
      );
    }
    if (node?.isAlive === true && refersTo(kind, object, reference, node.object!)) return true;
    const coordinates = coordinatesOf(kind, object, reference);
    let elsewhere = node?.absentAt.get(coordinates);
    if (elsewhere === undefined) {
      if (await this.#look(kind, kind.namespaced ? object.namespace : '', reference)) return true;
      elsewhere = kind.namespaced && (await this.#isElsewhere(object, reference, kind, node));
      graph.get(reference.uid)?.absentAt.set(coordinates, elsewhere);
    }
    if (!elsewhere) return this.#options.unknownOwners?.keeps(object, reference) === true;
    await this.#options.onWrongNamespace(object, reference);
    return false;
  }

  async #look(kind: Kind, namespace: string, { name, uid }: OwnerReference): Promise<boolean> {
    await yieldToEventLoop();
    const { graph, source } = this.#options;
    const found = await source.read(kind, namespace, name);
    if (found?.metadata.uid !== uid) return false;
    graph.put(observe(kind, found.metadata, found.revision));
    return true;
  }

  /** Whether the owner exists in another namespace than the reference implies. */
  async #isElsewhere(
    object: ObservedObject,
    reference: OwnerReference,
    kind: Kind,
    node: GraphNode | undefined,
  ): Promise<boolean> {
    if (node?.isAlive === true && node.object!.namespace !== '')
      return node.object!.namespace !== object.namespace;
    return this.#options.source.isAnywhere(kind, reference.name, reference.uid);
  }
}

/** Whether a reference matches a deleted object by group, kind, name and namespace. */
function isNamedBy(
  dependent: ObservedObject,
  { apiVersion, kind, name }: OwnerReference,
  { kind: { resource }, ...owner }: ObservedObject,
): boolean {
  const slash = apiVersion.indexOf('/');
  const group = slash < 0 ? '' : apiVersion.slice(0, slash);
  return (
    group === resource.group &&
    kind === resource.kind &&
    name === owner.name &&
    (owner.namespace === '' || owner.namespace === dependent.namespace)
  );
}

/** Whether a reference matches an object by kind, name and namespace; uids are compared before. */
export const refersTo = (
  kind: Kind | undefined,
  dependent: ObservedObject,
  { name }: OwnerReference,
  owner: ObservedObject,
): boolean =>
  kind?.store === owner.kind.store &&
  name === owner.name &&
  (owner.namespace === '' || owner.namespace === dependent.namespace);

const coordinatesOf = (kind: Kind, { namespace }: ObservedObject, { name }: OwnerReference): string =>
  `${kind.store} ${kind.namespaced ? namespace : ''} ${name}`;
