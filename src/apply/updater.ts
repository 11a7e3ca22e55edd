import { type Steps, waitFor } from '../steps/steps.ts';
import { withAtomicFields } from './atomic-fields.ts';
import { type Comparison, compare, type ValueForm } from './compare.ts';
import { fieldsOf } from './configuration.ts';
import { type Conflict, conflictError } from './conflicts.ts';
import { FieldSet } from './field-set.ts';
import { type Manager, type Managers, managerKey } from './managed.ts';
import { mergeConfiguration, removeFields } from './merge.ts';
import { namedMembers } from './named-members.ts';
import type { Shape } from './shape.ts';
import { checkComparable, IncomparableError } from './undeclared.ts';

/** The versions of one kind. */
export interface Versions {
  /** The shape of objects of a version; undefined for a version that is not served. */
  shape(apiVersion: string): Shape | undefined;
  /** Converts an object to another version; the given one is not changed. */
  convert(object: object, from: string, to: string, form: ValueForm): object | Promise<object>;
  /**
   * Converted objects may have fields that the other version does not declare, and a manager whose version the
   * kind no longer has prevents a comparison (custom kinds).
   */
  readonly areIndependent: boolean;
  /** Fields that this request cannot set, and therefore does not own. */
  readonly ignored: FieldSet;
  /** All fields that this request can set; absent: all but the ignored ones. */
  readonly written?: FieldSet | undefined;
}

const ownable = ({ ignored, written }: Versions, fields: FieldSet): FieldSet => {
  const rest = fields.recursiveDifference(ignored);
  return written === undefined ? rest : rest.within(written);
};

/** Effect of a write on an object, in the version of the write. */
interface Change {
  readonly apiVersion: string;
  readonly before: object;
  readonly after: object;
  readonly form: ValueForm;
}

/**
 * What a change adds, modifies and removes, in any version. A class, not a closure: V8 gives each generator
 * function that is created within another one a hidden class of its own, which keeps the whole request alive
 * until the next full collection.
 */
class Comparisons {
  readonly #versions: Versions;
  readonly #change: Change;
  readonly #known = new Map<string, Comparison>();

  constructor(versions: Versions, change: Change) {
    this.#versions = versions;
    this.#change = change;
  }

  *of(version: string, shape: Shape): Steps<Comparison> {
    const known = this.#known.get(version);
    if (known !== undefined) return known;
    const { before, after, form } = this.#change;
    const left = yield* this.#converted(before, version, shape);
    const all = yield* compare(shape, left, yield* this.#converted(after, version, shape), form);
    // The reset fields of a custom kind are those of the version of the request.
    const { areIndependent } = this.#versions;
    const isOther = areIndependent && version !== this.#change.apiVersion;
    const found = isOther
      ? all
      : {
          added: ownable(this.#versions, all.added),
          modified: ownable(this.#versions, all.modified),
          removed: ownable(this.#versions, all.removed),
        };
    yield;
    this.#known.set(version, found);
    return found;
  }

  *#converted(object: object, version: string, shape: Shape): Steps<object> {
    const { apiVersion, form } = this.#change;
    if (version === apiVersion) return object;
    const result = yield* waitFor(this.#versions.convert(object, apiVersion, version, form));
    if (this.#versions.areIndependent) checkComparable(shape, result, version);
    return result;
  }
}

/**
 * Removes changed and removed fields from the managers that owned them.
 * @param except key of the manager that makes the change
 * @param allowed fields whose owner may change without force, unless other fields conflict
 * @throws ApiError 409 when an apply changes fields of others without force; IncomparableError
 */
function* transfer(
  versions: Versions,
  change: Change,
  managers: Managers,
  except: string | undefined,
  force: boolean,
  allowed = FieldSet.empty,
): Steps<{ managers: Map<string, Manager>; comparison: Comparison }> {
  const { apiVersion } = change;
  const comparisons = new Comparisons(versions, change);
  const comparison = yield* comparisons.of(apiVersion, versions.shape(apiVersion)!);
  const remaining = new Map<string, Manager>();
  const conflicts: Conflict[] = [];
  for (const [key, manager] of managers) {
    if (key === except) {
      remaining.set(key, manager);
      continue;
    }
    const shape = versions.shape(manager.apiVersion);
    // Entries of a built-in version that is not served any more are dropped.
    if (shape === undefined) {
      if (versions.areIndependent) throw unknownVersion(manager.apiVersion);
      continue;
    }
    const { added, modified, removed } = yield* comparisons.of(manager.apiVersion, shape);
    yield;
    const taken = manager.fields.intersection(modified);
    yield;
    const transferred = taken.union(manager.fields.intersection(added));
    if (!transferred.isEmpty) conflicts.push({ manager, fields: transferred });
    yield;
    const left = manager.fields.difference(transferred);
    yield;
    const fields = left.difference(removed);
    if (!fields.isEmpty) remaining.set(key, fields === manager.fields ? manager : { ...manager, fields });
  }
  if (!force) {
    const refused = conflicts
      .map(({ manager, fields }) => ({ manager, fields: fields.difference(allowed) }))
      .filter(({ fields }) => !fields.isEmpty);
    if (refused.length > 0) throw conflictError(refused);
  }
  return { managers: remaining, comparison };
}

const unknownVersion = (apiVersion: string): IncomparableError =>
  new IncomparableError(
    apiVersion,
    `request to convert CR to an invalid group/version: ${apiVersion}`,
    '',
    'an update of the object removes its owners',
  );

/** The managers by the current schema, which changes with the definition of a custom kind. */
const current = (versions: Versions, managers: Managers): Managers =>
  versions.areIndependent ? withAtomicFields(managers, (version) => versions.shape(version)) : managers;

/**
 * Records an update: its manager owns added and changed fields, removed fields have no owner. Returns the
 * same managers when nothing changed.
 * @throws IncomparableError, and what a conversion throws
 */
export function* recordUpdate(
  versions: Versions,
  change: Change,
  managers: Managers,
  by: Omit<Manager, 'fields'>,
): Steps<Managers> {
  const { managers: remaining, comparison } = yield* transfer(
    versions,
    change,
    current(versions, managers),
    undefined,
    true,
  );
  yield;
  const changed = comparison.modified.union(comparison.added);
  if (changed.isEmpty) return remaining;
  const key = managerKey(by);
  const own = remaining.get(key);
  return remaining.set(key, { ...by, fields: own === undefined ? changed : changed.union(own.fields) });
}

/**
 * Merges an applied configuration into the live object, both plain, and removes fields that the manager
 * applied before and that have no owner now.
 * @throws ApiError 409, ShapeError, IncomparableError, and what a conversion throws
 */
export function* applyConfiguration(
  versions: Versions,
  apiVersion: string,
  live: object,
  applied: object,
  managers: Managers,
  by: Omit<Manager, 'fields'>,
  force: boolean,
  allowed?: FieldSet,
): Steps<{ object: object; managers: Map<string, Manager> }> {
  const shape = versions.shape(apiVersion)!;
  const fields = ownable(versions, yield* fieldsOf(shape, applied, true));
  yield;
  const merged = (yield* mergeConfiguration(shape, live, applied)) as object;
  yield;
  const key = managerKey(by);
  const owners = current(versions, managers);
  const last = owners.get(key);
  if (versions.areIndependent && last !== undefined && last.apiVersion !== apiVersion)
    yield* checkLastVersion(versions, apiVersion, live, last);
  const next = new Map(owners).set(key, { ...by, fields, time: last?.time });
  // Usually the same fields are applied again. A configuration owns all items on the paths of its fields, so
  // nothing can be removed then, unless a conversion for owners in another version drops it. What others have
  // below an empty value has no owner; built-in kinds get it again, as their defaults.
  const keepsAll =
    last === undefined ||
    (last.fields.difference(fields).isEmpty &&
      !(versions.areIndependent && hasEmptyValue(applied)) &&
      [...next.values()].every((manager) => manager.apiVersion === apiVersion));
  yield;
  const object = keepsAll ? merged : yield* pruning(versions, apiVersion, merged, next, last);
  yield;
  const { managers: remaining } = yield* transfer(
    versions,
    { apiVersion, before: live, after: object, form: 'plain' },
    next,
    key,
    force,
    allowed,
  );
  return { object, managers: remaining };
}

/** Whether a value somewhere in a configuration is null or empty. */
function hasEmptyValue(applied: object): boolean {
  const rest: unknown[] = Object.values(applied);
  for (let value = rest.pop(); value !== undefined; value = rest.pop()) {
    if (value === null) return true;
    if (typeof value !== 'object') continue;
    const values: unknown[] = Object.values(value);
    if (values.length === 0) return true;
    for (const inner of values) rest.push(inner);
  }
  return false;
}

/** The live object must have a form in the version that the manager applied last. @throws IncomparableError */
function* checkLastVersion(
  versions: Versions,
  apiVersion: string,
  live: object,
  last: Manager,
): Steps<undefined> {
  const shape = versions.shape(last.apiVersion);
  if (shape === undefined) throw unknownVersion(last.apiVersion);
  checkComparable(shape, yield* convertPlain(versions, live, apiVersion, last.apiVersion), last.apiVersion);
  return undefined;
}

/**
 * Removes the fields of the manager's last configuration, except owned ones and items added to them by
 * others.
 */
function* pruning(
  versions: Versions,
  apiVersion: string,
  merged: object,
  managers: Managers,
  last: Manager,
): Steps<object> {
  const version = last.apiVersion;
  const shape = versions.shape(version);
  if (shape === undefined) return merged;
  const from = yield* convertPlain(versions, merged, apiVersion, version);
  let pruned = yield* without(shape, from, namedMembers(shape, last.fields));

  const owned = new Map<string, FieldSet[]>();
  for (const manager of managers.values()) {
    const sets = owned.get(manager.apiVersion);
    if (sets === undefined) owned.set(manager.apiVersion, [manager.fields]);
    else sets.push(manager.fields);
  }
  const here = owned.get(version);
  if (here !== undefined)
    pruned = yield* addBack(versions, version, version, FieldSet.unionOf(here), from, pruned);
  for (const [current, sets] of owned)
    if (current !== version)
      pruned = yield* addBack(versions, version, current, FieldSet.unionOf(sets), from, pruned);

  const removed = yield* lost(shape, from, pruned, namedMembers(shape, last.fields));
  const result = yield* without(shape, from, removed);
  return yield* convertPlain(versions, result, version, apiVersion);
}

/** Adds fields with owners, and what belongs to them, from the merged object to the pruned one. */
function* addBack(
  versions: Versions,
  version: string,
  current: string,
  fields: FieldSet,
  merged: object,
  pruned: object,
): Steps<object> {
  const at = versions.shape(current);
  if (at === undefined) return pruned;
  const all = yield* convertPlain(versions, merged, version, current);
  const left = yield* convertPlain(versions, pruned, version, current);
  const there = yield* membersIn(at, left);
  const kept = there.union(namedMembers(at, fields));
  yield;
  const dropped = (yield* membersIn(at, all)).difference(kept);
  yield;
  const result = yield* without(at, all, dropped);
  return yield* convertPlain(versions, result, current, version);
}

/** All fields of an object, with those on their paths. */
function* membersIn(shape: Shape, object: object): Steps<FieldSet> {
  const fields = yield* fieldsOf(shape, object, false);
  yield;
  return namedMembers(shape, fields);
}

/** Those of some fields that an object has and another one does not. */
function* lost(shape: Shape, object: object, other: object, fields: FieldSet): Steps<FieldSet> {
  const all = yield* membersIn(shape, object);
  const left = yield* membersIn(shape, other);
  yield;
  return all.difference(left).intersection(fields);
}

function* without(shape: Shape, object: object, fields: FieldSet): Steps<object> {
  return ((yield* removeFields(shape, object, fields)) ?? {}) as object;
}

const convertPlain = (versions: Versions, object: object, source: string, target: string): Steps<object> =>
  waitFor(source === target ? object : versions.convert(object, source, target, 'plain'));
