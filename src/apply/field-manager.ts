import { DecodeError } from '../codec/decode-error.ts';
import {
  getMember,
  type KubernetesObject,
  type ManagedFieldsEntry,
  parseApiVersion,
} from '../model/object.ts';
import { type ApiError, ConversionFailedError, errors } from '../status/index.ts';
import type { Steps } from '../steps/steps.ts';
import type { ValueForm } from './compare.ts';
import { ShapeError } from './configuration.ts';
import { MissingKeyError } from './elements.ts';
import { equalValues } from './equal-values.ts';
import type { FieldSet } from './field-set.ts';
import { fieldSetOf } from './field-set-builder.ts';
import {
  LAST_APPLIED,
  lastApplied,
  lastAppliedFields,
  lastAppliedText,
  MIGRATING_MANAGER,
} from './last-applied.ts';
import {
  capUpdaters,
  decodeManagers,
  encodeManagers,
  isOwnershipReset,
  type Manager,
  type Managers,
  managerKey,
  managersOf,
  type Operation,
} from './managed.ts';
import { fieldElement } from './path-element.ts';
import type { Shape } from './shape.ts';
import { hasTypesOf, IncomparableError } from './undeclared.ts';
import { applyConfiguration, recordUpdate, type Versions } from './updater.ts';

/** Options of a field manager for a kind and a request. */
export interface FieldManagerOptions {
  /** Version of the request. */
  readonly apiVersion: string;
  /** Empty for the object itself. */
  readonly subresource: string;
  /** See {@link Versions.areIndependent}. Default: false. */
  readonly versionsAreIndependent?: boolean;
  /** An update whose owners cannot be computed leaves those of the object; default: it drops them. */
  readonly keepsOwners?: boolean;
  /** Fields that this request cannot set. */
  readonly ignored: FieldSet;
  /** All fields that this request can set; absent: all but the ignored ones. */
  readonly written?: FieldSet | undefined;
  shape(apiVersion: string): Shape | undefined;
  /** Converts an in-memory object to another version; the given one is not changed. */
  convert(object: KubernetesObject, from: string, to: string): KubernetesObject | Promise<KubernetesObject>;
  /** Converts an in-memory object of a version to a JSON tree, and back. */
  toPlain(object: KubernetesObject, apiVersion: string): object;
  /** {@link toPlain} in steps; absent: the objects are small. */
  makingPlain?(object: KubernetesObject, apiVersion: string): Steps<object>;
  fromPlain(plain: object, apiVersion: string): KubernetesObject;
  /** Whether objects with the same JSON still count as different. Default: they do not. */
  isChange?(live: KubernetesObject, object: KubernetesObject): boolean;
  /** Wall clock as RFC 3339 seconds; undefined for entries without time. */
  now(): string | undefined;
}

/** Result of an apply. */
export interface Applied {
  readonly object: object | undefined;
  readonly managedFields: ManagedFieldsEntry[] | undefined;
}

type Members = Record<string, unknown>;

const DEFAULT_MANAGER = 'unknown';
/** Manager of the fields that existed before the first apply to an object without owners. */
const BEFORE_FIRST_APPLY = 'before-first-apply';
const SERVER_FIELDS = [
  'name',
  'namespace',
  'creationTimestamp',
  'selfLink',
  'uid',
  'clusterName',
  'generation',
  'managedFields',
  'resourceVersion',
];
/** Fields without an owner: those set by the server, and the identity of the object. */
const UNOWNED = fieldSetOf(
  ['apiVersion'].map(fieldElement),
  ['kind'].map(fieldElement),
  ['metadata'].map(fieldElement),
  ...SERVER_FIELDS.map((name) => ['metadata', name].map(fieldElement)),
);

/** Maintains `metadata.managedFields` for one request. Objects are in the request's version. */
export class FieldManager {
  readonly #versions: Versions;

  constructor(private readonly options: FieldManagerOptions) {
    this.#versions = {
      shape: (version) => options.shape(version),
      ignored: options.ignored,
      written: options.written,
      areIndependent: options.versionsAreIndependent === true,
      convert: (object, from, to, form: ValueForm) => {
        if (form === 'memory') return options.convert(object as KubernetesObject, from, to);
        const converted = options.convert(options.fromPlain(object, from), from, to);
        return converted instanceof Promise
          ? converted.then((one) => options.toPlain(one, to))
          : options.toPlain(converted, to);
      },
    };
  }

  /**
   * The entries of an object after an update (or creation, when `live` is undefined) by a manager. Objects
   * without owners get none before their first apply.
   * @param object the new object, with the entries sent by the client
   */
  *updated(
    live: KubernetesObject | undefined,
    object: KubernetesObject,
    manager: string,
  ): Steps<ManagedFieldsEntry[] | undefined> {
    const managers = yield* this.#managersOf(live, object);
    if (managers.size === 0 && live !== undefined) return undefined;
    yield;
    const recorded = yield* this.#recordedIfComparable(live, object, managers, manager);
    yield;
    // As in kube-apiserver: the update goes on when ownership cannot be computed.
    if (recorded === undefined)
      return this.options.keepsOwners === true ? live?.metadata?.managedFields : undefined;
    return yield* encodeManagers(capUpdaters(recorded));
  }

  /** The owners after an update; undefined when they cannot be computed. */
  *#recordedIfComparable(
    live: KubernetesObject | undefined,
    object: KubernetesObject,
    managers: Managers,
    manager: string,
  ): Steps<Managers | undefined> {
    if ([...managers.values()].some(({ apiVersion }) => parseApiVersion(apiVersion) === undefined))
      return undefined;
    if (
      this.#versions.areIndependent &&
      !hasTypesOf(this.options.shape(this.options.apiVersion)!, this.#unvalidated(object))
    )
      return undefined;
    try {
      return yield* withinDepth(this.#recorded(live ?? {}, object, managers, manager));
    } catch (error) {
      if (
        error instanceof IncomparableError ||
        error instanceof ConversionFailedError ||
        error instanceof MissingKeyError
      )
        return undefined;
      throw error;
    }
  }

  /**
   * Applies a configuration (a plain tree of this version).
   * @returns the plain object, undefined when the live one changes only in its entries; and the entries
   * @throws ApiError 409 with the conflicts, 400 when the configuration does not fit the type
   */
  *apply(
    live: KubernetesObject | undefined,
    applied: object,
    manager: string,
    force: boolean,
  ): Steps<Applied> {
    let managers: Managers = yield* managersOf(live);
    if (managers.size === 0 && live !== undefined) managers = yield* this.#ofFirstApply(live);
    yield;
    const before = yield* this.#plainOf(withoutEntries(live ?? {}));
    const by = this.#manager(manager, 'Apply', undefined);
    yield;
    const result = yield* this.#applied(before, applied, managers, by, force);
    yield;
    const unchanged = equalValues(before, result.object);
    const key = managerKey(by);
    const own = result.managers.get(key);
    if (own !== undefined) {
      const fields = own.fields.difference(UNOWNED);
      if (fields.isEmpty) result.managers.delete(key);
      else result.managers.set(key, { ...own, fields });
    }
    // An object with the same JSON was not changed, regardless of applied nulls and empty values: it gets no
    // new time.
    const written =
      !unchanged &&
      !(
        sameOwners(managers, result.managers) &&
        this.#hasSameJson(before, result.object) &&
        !this.#isChange(live, result.object)
      );
    const owner = result.managers.get(key);
    if (written && owner !== undefined) result.managers.set(key, { ...owner, time: this.options.now() });
    yield;
    const managedFields = yield* encodeManagers(result.managers);
    if (!written && live !== undefined && !this.#migrates(manager, before))
      return { object: undefined, managedFields };
    return {
      object: this.#migrates(manager, result.object)
        ? withLastApplied(result.object, applied)
        : result.object,
      managedFields,
    };
  }

  *#plainOf(object: KubernetesObject): Steps<object> {
    const { options } = this;
    return options.makingPlain === undefined
      ? options.toPlain(object, options.apiVersion)
      : yield* options.makingPlain(object, options.apiVersion);
  }

  /** The owners of the fields that an object without owners has before its first apply. */
  *#ofFirstApply(live: KubernetesObject): Steps<Managers> {
    try {
      return yield* this.#recorded({}, live, new Map(), BEFORE_FIRST_APPLY);
    } catch (error) {
      if (!(error instanceof MissingKeyError)) throw error;
      throw errors.badRequest(`failed to create manager for existing fields: ${error.message}`);
    }
  }

  /** Whether an apply by a manager also writes the annotation of client-side apply. */
  #migrates(manager: string, object: object): boolean {
    if (manager !== MIGRATING_MANAGER || lastApplied(object as KubernetesObject) === undefined) return false;
    // Annotations of a custom object are ignored when one of them is not a string.
    const { annotations = {} } = (object as KubernetesObject).metadata!;
    return !this.#versions.areIndependent || Object.values(annotations).every((value) => value !== null);
  }

  #isChange(live: KubernetesObject | undefined, after: object): boolean {
    const { apiVersion, isChange, fromPlain } = this.options;
    return live !== undefined && isChange?.(live, fromPlain(after, apiVersion)) === true;
  }

  /** Whether `after` has the same JSON as `before`; checks the changed members until one differs. */
  #hasSameJson(before: object, after: object): boolean {
    const { apiVersion, fromPlain, toPlain } = this.options;
    const old = before as Members;
    const next = after as Members;
    try {
      for (const name of new Set([...Object.keys(old), ...Object.keys(next)])) {
        if (
          name === 'apiVersion' ||
          name === 'kind' ||
          equalValues(getMember(old, name), getMember(next, name))
        )
          continue;
        // Empty metadata of custom kinds differs from absent metadata until the object is read again.
        if (name === 'metadata' && this.#versions.areIndependent) return false;
        const encoded = toPlain(
          fromPlain(Object.hasOwn(next, name) ? { [name]: next[name] } : {}, apiVersion),
          apiVersion,
        ) as Members;
        if (!equalValues(getMember(old, name), getMember(encoded, name))) return false;
      }
      return true;
    } catch (error) {
      // The caller gets the error when it decodes the object itself.
      if (error instanceof DecodeError) return false;
      throw error;
    }
  }

  *#applied(
    before: object,
    applied: object,
    managers: Managers,
    by: Omit<Manager, 'fields'>,
    force: boolean,
  ): ReturnType<typeof applyConfiguration> {
    const { apiVersion } = this.options;
    try {
      // Fields set by client-side apply and unchanged since do not conflict for the same tool.
      const own =
        by.name === MIGRATING_MANAGER
          ? yield* lastAppliedFields(this.options.shape(apiVersion)!, apiVersion, before)
          : undefined;
      return yield* applyConfiguration(this.#versions, apiVersion, before, applied, managers, by, force, own);
    } catch (error) {
      if (error instanceof RangeError) throw tooDeep();
      if (error instanceof IncomparableError)
        throw errors.applyConflict(
          [{ reason: 'FieldManagerConflict', message: error.message, field: error.path }],
          `the object cannot be compared with what managers own in ${error.apiVersion}: ${error.message}; ${error.advice}`,
        );
      if (!(error instanceof ShapeError || error instanceof MissingKeyError)) throw error;
      const { kind, metadata } = applied as KubernetesObject;
      const groupVersion = apiVersion.includes('/') ? apiVersion : `/${apiVersion}`;
      throw errors.badRequest(
        `failed to create typed patch object (${metadata?.namespace ?? ''}/${metadata?.name ?? ''}; ${groupVersion}, Kind=${kind}): ${error.message}`,
      );
    }
  }

  /**
   * The members of an object that may have wrong types in a request that succeeds: validation does not see
   * what the request cannot set.
   */
  #unvalidated(object: KubernetesObject): object {
    if (this.options.subresource !== '') return object;
    return Object.fromEntries(
      Object.entries(object).filter(
        ([name]) => this.options.ignored.children.get(fieldElement(name))?.member === true,
      ),
    );
  }

  /**
   * A subresource cannot change entries; other requests can, and clients that don't know them leave them
   * unchanged.
   */
  *#managersOf(live: KubernetesObject | undefined, object: KubernetesObject): Steps<Managers> {
    const sent = object.metadata?.managedFields;
    if (this.options.subresource !== '') return yield* managersOf(live);
    if (isOwnershipReset(sent, { isTyped: !this.#versions.areIndependent })) return new Map();
    const managers = yield* decodeManagers(sent);
    return managers === undefined || managers.size === 0 ? yield* managersOf(live) : managers;
  }

  *#recorded(
    live: KubernetesObject,
    object: KubernetesObject,
    managers: Managers,
    name: string,
  ): Steps<Managers> {
    const by = this.#manager(name, 'Update', this.options.now());
    const change = {
      apiVersion: this.options.apiVersion,
      before: withoutEntries(live),
      after: withoutEntries(object),
      form: 'memory' as const,
    };
    const recorded = yield* recordUpdate(this.#versions, change, managers, by);
    const key = managerKey(by);
    const own = recorded.get(key);
    const fields = own?.fields.difference(UNOWNED);
    if (own === undefined || fields === own.fields) return recorded;
    const stripped = new Map(recorded);
    const previous = managers.get(key);
    if (fields!.isEmpty) stripped.delete(key);
    else
      stripped.set(key, previous?.fields.equals(fields!) === true ? previous : { ...own, fields: fields! });
    return stripped;
  }

  #manager(name: string, operation: Operation, time: string | undefined): Omit<Manager, 'fields'> {
    const { apiVersion, subresource } = this.options;
    return { name: name === '' ? DEFAULT_MANAGER : name, operation, apiVersion, subresource, time };
  }
}

const tooDeep = (): ApiError => errors.badRequest('exceeded max depth');

/** Runs a traversal of an object; refuses one that is nested too deeply. */
function* withinDepth<T>(walk: Steps<T>): Steps<T> {
  try {
    return yield* walk;
  } catch (error) {
    if (error instanceof RangeError) throw tooDeep();
    throw error;
  }
}

function withoutEntries(object: KubernetesObject): KubernetesObject {
  const { managedFields, ...metadata } = object.metadata ?? {};
  return managedFields === undefined ? object : { ...object, metadata };
}

function sameOwners(before: Managers, after: Managers): boolean {
  return (
    before.size === after.size &&
    [...after].every(([key, { fields }]) => before.get(key)?.fields.equals(fields) === true)
  );
}

function withLastApplied(object: object, applied: object): object {
  const { metadata } = object as KubernetesObject;
  return {
    ...object,
    metadata: {
      ...metadata,
      annotations: { ...metadata!.annotations, [LAST_APPLIED]: lastAppliedText(applied) },
    },
  };
}
