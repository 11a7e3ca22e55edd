import type { OwnerReference } from '../../model/object.ts';
import type { Client } from '../client.ts';
import type { GraphNode, OwnerGraph } from './graph.ts';
import { type Kind, type MetadataSource, type ObservedObject, observe } from './objects.ts';

/** Owners that are known already and are looked at in one turn. */
const AT_ONCE = 500;

/** What the owner references of one object come to. */
export interface Verdict {
  /** Uids of owners that are there, and stay. */
  readonly solid: readonly string[];
  /** Uids of owners that are not there. */
  readonly dangling: readonly string[];
  /** Uids of owners that are there until their dependents are gone. */
  readonly waiting: readonly string[];
}

/**
 * A reference whose owner can't be looked for: its kind is not served (now). Nothing is deleted because of
 * it.
 */
export class UnknownKindError extends Error {
  override name = 'UnknownKindError';
}

/**
 * An object without namespace names an owner of a kind that has namespaces: no look-up can tell whether that
 * is there.
 */
export class UnresolvableOwnerError extends Error {
  override name = 'UnresolvableOwnerError';
}

export interface ReferenceCheckOptions {
  readonly client: Client;
  readonly graph: OwnerGraph;
  readonly feed: MetadataSource;
  /** Told of a reference whose owner is in another namespace than the object. */
  readonly onWrongNamespace: (dependent: ObservedObject, reference: OwnerReference) => Promise<void>;
}

/**
 * Finds out which owners of an object are there. Owners are said to be absent only when their deletion was
 * seen or the server has answered so.
 */
export class ReferenceCheck {
  readonly #options: ReferenceCheckOptions;

  constructor(options: ReferenceCheckOptions) {
    this.#options = options;
  }

  /** @throws UnknownKindError, UnresolvableOwnerError, ApiError */
  async verdict(object: ObservedObject): Promise<Verdict> {
    const solid: string[] = [];
    const dangling: string[] = [];
    const waiting: string[] = [];
    for (const [index, reference] of object.owners.entries()) {
      const { uid } = reference;
      if (index % AT_ONCE === AT_ONCE - 1) await nextTurn();
      if (uid === object.uid) solid.push(uid);
      else if (!(await this.exists(object, reference))) dangling.push(uid);
      else (this.#options.graph.get(uid)?.waitsForDependents === true ? waiting : solid).push(uid);
    }
    return { solid, dangling, waiting };
  }

  /** Whether the owner that a reference names is there. What is found is put into the graph. */
  async exists(object: ObservedObject, reference: OwnerReference): Promise<boolean> {
    const { graph, feed } = this.#options;
    const node = graph.get(reference.uid);
    // Known before the kind is asked for: the kind may have gone with its objects.
    if (node?.isDeleted === true && isNamedBy(object, reference, node.object!)) return false;
    const kind = feed.findKind(reference.apiVersion, reference.kind);
    if (kind === undefined)
      throw new UnknownKindError(
        `owner ${reference.apiVersion} ${reference.kind} ${reference.name} is of a kind that is not served`,
      );
    if (kind.namespaced && object.namespace === '') {
      if (await this.#isElsewhere(object, reference, kind, node))
        await this.#options.onWrongNamespace(object, reference);
      throw new UnresolvableOwnerError(
        `owner ${reference.apiVersion} ${reference.kind} ${reference.name} has a namespace, its dependent has none`,
      );
    }
    if (node?.isAlive === true && refersTo(kind, object, reference, node.object!)) return true;
    const place = placeOf(kind, object, reference);
    let elsewhere = node?.absentAt.get(place);
    if (elsewhere === undefined) {
      if (await this.#look(kind, kind.namespaced ? object.namespace : '', reference)) return true;
      elsewhere = kind.namespaced && (await this.#isElsewhere(object, reference, kind, node));
      graph.get(reference.uid)?.absentAt.set(place, elsewhere);
    }
    if (elsewhere) await this.#options.onWrongNamespace(object, reference);
    return false;
  }

  async #look(kind: Kind, namespace: string, { name, uid }: OwnerReference): Promise<boolean> {
    await nextTurn();
    const found = await this.#options.client.get(kind.resource, namespace, name, { metadataOnly: true });
    if (found?.metadata?.uid !== uid) return false;
    this.#options.graph.put(observe(kind, found.metadata, Number(found.metadata.resourceVersion)));
    return true;
  }

  /** Whether the owner is there, only not where the reference can mean. */
  async #isElsewhere(
    object: ObservedObject,
    reference: OwnerReference,
    kind: Kind,
    node: GraphNode | undefined,
  ): Promise<boolean> {
    if (node?.isAlive === true && node.object!.namespace !== '')
      return node.object!.namespace !== object.namespace;
    return this.#options.feed.isAnywhere(kind, reference.name, reference.uid);
  }
}

/** An object can name thousands of owners: clients' requests go on while they are looked for. */
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Whether the words of a reference are those of an object that was, wherever its kind is served now. */
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

/** Whether a reference means an object by its kind, name and namespace; uids are compared before. */
export const refersTo = (
  kind: Kind | undefined,
  dependent: ObservedObject,
  { name }: OwnerReference,
  owner: ObservedObject,
): boolean =>
  kind?.store === owner.kind.store &&
  name === owner.name &&
  (owner.namespace === '' || owner.namespace === dependent.namespace);

const placeOf = (kind: Kind, { namespace }: ObservedObject, { name }: OwnerReference): string =>
  `${kind.store} ${kind.namespaced ? namespace : ''} ${name}`;
