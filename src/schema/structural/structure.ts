import { createHash } from 'node:crypto';
import type { FieldError } from '../../status/field-error.ts';
import type { Steps } from '../../steps/steps.ts';
import { isCompleteObject } from './complete.ts';
import { type DefaultingOptions, setDefaultsOf } from './defaults.ts';
import { type EmbeddedResource, embeddedResourcesOf } from './embedded.ts';
import { validateListTypes } from './list-types.ts';
import { Node } from './node.ts';
import { type PruningOptions, pruneNode } from './prune.ts';
import { unchangedAt } from './unchanged.ts';
import { isSmall, type ValidationOptions, validateNode } from './validate.ts';
import type { ValueSchema } from './value-schema.ts';

/**
 * A structural schema, compiled lazily: a part of it is compiled when a value first has that part. Immutable
 * for callers, so that it can be shared by all definitions with the same schema. Each operation takes time
 * linear in the size of the value, in steps of a few milliseconds; values for which {@link isSmall} is true need
 * no pause.
 */
export class Structure {
  private readonly node: Node;

  constructor(source: ValueSchema | Node) {
    this.node = source instanceof Node ? source : new Node(source);
  }

  get schema(): ValueSchema {
    return this.node.schema;
  }

  /** Returns whether the operations handle a value in about a millisecond, so that it needs no steps. */
  isSmall(value: unknown): boolean {
    return isSmall(this.node, value);
  }

  /** The schema of a declared member, for values of a part of the object such as `status`. */
  member(name: string): Structure | undefined {
    const node = this.node.member(name);
    return node && new Structure(node);
  }

  /**
   * Removes members that the schema does not specify, in place; with `dropsNulls` also nulls that it does not
   * allow.
   * @returns paths of the removed members (`spec.list[0].name`), sorted
   */
  prune(value: unknown, options: PruningOptions = {}): Steps<string[]> {
    return pruneNode(this.node, value, options);
  }

  /**
   * Sets defaults in place, also of members that are null where null is not allowed; removes such members that
   * have no default, unless `keepsNulls` is set. Defaults are copied. To be called after {@link prune}.
   * @throws TooManyDefaultsError
   */
  setDefaults(value: unknown, options: DefaultingOptions = {}): Steps<void> {
    return setDefaultsOf(this.node, value, options);
  }

  /**
   * Returns whether {@link prune} and {@link setDefaults} leave a whole object as it is. False also where finding
   * out would take long.
   * @param options isLarge: it may take several milliseconds
   */
  isComplete(object: object, { isLarge = false } = {}): boolean {
    return isCompleteObject(this.node, object, isLarge);
  }

  /**
   * Validates a value against the keywords of the schema: all errors, with the messages of kube-apiserver.
   * With the value before the update, errors of unchanged values are dropped.
   */
  validate(value: unknown, options: ValidationOptions = {}): Steps<FieldError[]> {
    return validateNode(this.node, value, options);
  }

  /**
   * Validates that sets and map lists have no duplicates.
   * @param options field: path of the value; old: the value before the update: if it has any duplicate, none
   * is reported
   */
  validateLists(value: unknown, { field = '', old }: ValidationOptions = {}): Steps<FieldError[]> {
    return validateListTypes(this.node, value, field, old);
  }

  /** Returns the embedded resources in a value, outer ones first. */
  embeddedResources(value: unknown, field = ''): Steps<EmbeddedResource[]> {
    return embeddedResourcesOf(this.node, value, field);
  }

  /**
   * Returns a function that tells whether the value at a path (names and indexes from the whole object) counts
   * as unchanged for ratcheting: see {@link unchangedAt}. It remembers what it compared.
   */
  unchangedAt(object: unknown, old: unknown): (path: readonly (string | number)[]) => boolean {
    const comparisons = { unchanged: new Map(), keyed: new Map() };
    return (path) => unchangedAt(this.node, path, { object, old }, comparisons);
  }
}

const shared = new Map<string, WeakRef<Structure>>();
const unused = new FinalizationRegistry<string>((key) => {
  if (shared.get(key)?.deref() === undefined) shared.delete(key);
});

/**
 * Returns the structure of a schema, shared by all holders of the same text as long as one of them uses it.
 * @param text the schema as JSON, with members in a fixed order
 * @param make makes the schema, unless the structure is known
 */
export function* sharedStructure(text: string, make: () => Steps<ValueSchema>): Steps<Structure> {
  const key = keyOf(text);
  yield;
  const known = shared.get(key)?.deref();
  if (known !== undefined) return known;
  const schema = yield* make();
  return shared.get(key)?.deref() ?? share(key, new Structure(schema));
}

const keyOf = (text: string): string => createHash('sha256').update(text).digest('base64');

function share(key: string, structure: Structure): Structure {
  shared.set(key, new WeakRef(structure));
  unused.register(structure, key);
  return structure;
}
