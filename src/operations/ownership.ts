import { FieldManager, type FieldSet, fieldElement, fieldSetOf } from '../apply/index.ts';
import { ANY_ELEMENT } from '../apply/path-element.ts';
import { copyingContainers } from '../codec/copy.ts';
import type { TypeMeta } from '../codec/type-meta.ts';
import type { Strategy } from '../kinds/strategy.ts';
import type { Life } from '../model/life.ts';
import {
  apiVersionOf,
  type GroupVersionKind,
  type KubernetesObject,
  type ManagedFieldsEntry,
  type RawJson,
} from '../model/object.ts';
import { formatTime } from '../model/time.ts';
import { builtinSchema, type ObjectSchema } from '../resources/object-schema.ts';
import type { ServedResource } from '../resources/served-resource.ts';
import type { ConversionCaller } from '../resources/version-conversion.ts';
import { isLarge, runIfLarge, runNow } from '../steps/run.ts';
import type { Steps } from '../steps/steps.ts';
import type { FieldOwnership, OperationContext } from './environment.ts';

/**
 * Records field owners in `metadata.managedFields`. Runs before admission and strategies: fields that the
 * server adds have no owner.
 */
export const fieldOwnership: FieldOwnership = {
  created: async (context, object) => {
    // A new object is not being deleted, so no manager may own this field.
    delete object.metadata?.deletionTimestamp;
    delete object.metadata?.deletionGracePeriodSeconds;
    const { request, resource, fieldManager: name } = context;
    setEntries(
      object,
      await runIfLarge(request, recordingUpdate(fieldManager(context), resource, undefined, object, name)),
    );
  },
  updated: async (context, object, old) => {
    const { request, resource, fieldManager: name } = context;
    setEntries(
      object,
      await runIfLarge(request, recordingUpdate(fieldManager(context), resource, old, object, name)),
    );
  },
};

/** For an object whose entries are complete: an applied one, or one that gets no owners (a Binding). */
export const unchangedOwnership: FieldOwnership = { created: () => undefined, updated: () => undefined };

export function setEntries(object: KubernetesObject, entries: ManagedFieldsEntry[] | undefined): void {
  object.metadata ??= {};
  if (entries === undefined) delete object.metadata.managedFields;
  else object.metadata.managedFields = entries;
}

/** Whether two lists of entries differ, and only in their times; entries in another order differ. */
export function sameOwnership(
  entries: readonly ManagedFieldsEntry[] = [],
  old: readonly ManagedFieldsEntry[] = [],
): boolean {
  return (
    entries.length === old.length &&
    entries.every((entry, index) => ownershipKey(entry) === ownershipKey(old[index]!)) &&
    entries.some(({ time }, index) => time !== old[index]!.time)
  );
}

const ownershipKey = ({
  manager,
  operation,
  apiVersion,
  subresource,
  fieldsV1,
}: ManagedFieldsEntry): string =>
  JSON.stringify([
    manager ?? '',
    operation,
    apiVersion,
    subresource ?? '',
    (fieldsV1 as RawJson | undefined)?.text,
  ]);

/** The owners of the fields of an object in the working version after an update, in steps. */
function* recordingUpdate(
  fields: FieldManager,
  resource: ServedResource,
  old: KubernetesObject | undefined,
  object: KubernetesObject,
  manager: string,
): Steps<ManagedFieldsEntry[] | undefined> {
  const before = old && (yield* makingServedForm(resource, old));
  return yield* fields.updated(before, yield* makingServedForm(resource, object), manager);
}

/** Converts an object to the version of the request, in steps; the stored object stays unchanged. */
export function* makingServedForm(
  resource: ServedResource,
  object: KubernetesObject,
): Steps<KubernetesObject> {
  if (resource.conversion.worksInServedVersion) return object;
  const copy = yield* copyingContainers(object);
  yield;
  return resource.conversion.toServed(copy);
}

/** What the field manager of a write is created for. */
interface ManagedWrite {
  readonly resource: ServedResource;
  readonly subresource: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly keepsOwners?: boolean;
  readonly caller?: ConversionCaller;
}

/** The releases in which an update whose owners cannot be computed leaves those of the object. */
const KEEPS_OWNERS: Life = { since: '1.37' };

/** Creates the field manager of one request. */
export const fieldManager = ({
  request,
  resource,
  subresource,
  environment,
}: OperationContext): FieldManager =>
  createFieldManager({
    resource,
    subresource,
    now: () => environment.now(),
    keepsOwners: request.scheme.has(KEEPS_OWNERS),
    caller: request,
  });

function createFieldManager({
  resource,
  subresource,
  now,
  keepsOwners = false,
  caller,
}: ManagedWrite): FieldManager {
  const { row } = resource;
  const schemaOf = (apiVersion: string): ObjectSchema | undefined =>
    apiVersion === resource.apiVersion ? resource.schema : resource.conversion.schemaIn(apiVersion);
  const typeMetaIn = (apiVersion: string): TypeMeta => ({ apiVersion, kind: row.kind });
  return new FieldManager({
    apiVersion: resource.apiVersion,
    subresource,
    ignored: ignoredFields(resource, subresource),
    written: writtenFields(resource, subresource),
    versionsAreIndependent: resource.schema.isUntyped,
    keepsOwners,
    shape: (apiVersion) => schemaOf(apiVersion)?.shape,
    convert: (object, from, to) => resource.conversion.convert(object, from, to, caller),
    toPlain: (object, apiVersion) => schemaOf(apiVersion)!.toPlain(object, typeMetaIn(apiVersion)),
    ...(caller === undefined || !isLarge(caller)
      ? {}
      : {
          makingPlain: (object, apiVersion) =>
            schemaOf(apiVersion)!.makingPlain(object, typeMetaIn(apiVersion)),
        }),
    fromPlain: (plain, apiVersion) => schemaOf(apiVersion)!.fromPlain(plain).value,
    ...(resource.strategy.generationChanged === undefined || subresource !== ''
      ? {}
      : { isChange: resource.strategy.generationChanged }),
    now: () => formatTime(now()),
  });
}

/**
 * The field owners of an object that the server writes without a request.
 * @param live the stored object, undefined for a new one
 * @param write.now milliseconds since 1970
 * @param write.subresource through which it is written; default: the object itself
 */
export function ownedByServer(
  resource: ServedResource,
  live: KubernetesObject | undefined,
  object: KubernetesObject,
  {
    manager,
    now,
    subresource = '',
  }: { readonly manager: string; readonly now: number; readonly subresource?: string },
): ManagedFieldsEntry[] | undefined {
  const fields = createFieldManager({ resource, subresource, now: () => now });
  return runNow(recordingUpdate(fields, resource, live, object, manager));
}

/**
 * Records field owners in an object that is never stored (a TokenRequest, a review), for the response.
 * @param kind of the object; the resource it is posted to has another kind
 */
export async function recordActionOwnership(
  context: Pick<OperationContext, 'request' | 'environment' | 'fieldManager'>,
  { group, version, kind }: GroupVersionKind,
  schema: ObjectSchema,
  object: KubernetesObject,
): Promise<void> {
  const { request, environment, fieldManager: name } = context;
  const apiVersion = apiVersionOf(group, version);
  const manager = new FieldManager({
    apiVersion,
    subresource: request.info.subresource,
    ignored: fieldSetOf(),
    shape: () => schema.shape,
    convert: (given) => given,
    toPlain: (given) => schema.toPlain(given, { apiVersion, kind }),
    fromPlain: (plain) => schema.fromPlain(plain).value,
    now: () => formatTime(environment.now()),
  });
  setEntries(object, await runIfLarge(request, manager.updated(undefined, object, name)));
}

/**
 * Records field owners in an object that is neither stored nor answered (a Binding, an Eviction), if webhooks
 * or policies may look at it.
 */
export async function recordInterceptedOwnership(
  context: OperationContext,
  kind: GroupVersionKind,
  object: KubernetesObject,
): Promise<void> {
  const { group, resource, subresource } = context.request.info;
  const { admission } = context.environment;
  if (admission.leavesProcess?.('CREATE', group, resource, subresource) !== true) return;
  const schema = builtinSchema(context.request.scheme.types, kind.group, kind.version, kind.kind)!;
  await recordActionOwnership(context, kind, schema, object);
}

const ignored = new WeakMap<ObjectSchema, Map<string, FieldSet>>();

const written = new WeakMap<Strategy, Map<string, FieldSet | undefined>>();

/** All fields that a request can set, where the strategy names them. */
function writtenFields({ strategy }: ServedResource, subresource: string): FieldSet | undefined {
  const paths = strategy.writtenFields?.[subresource];
  if (paths === undefined) return undefined;
  let known = written.get(strategy);
  if (known === undefined) {
    known = new Map();
    written.set(strategy, known);
  }
  let fields = known.get(subresource);
  if (fields === undefined) {
    const elementOf = (name: string) => (name === ANY_ELEMENT ? name : fieldElement(name));
    fields = fieldSetOf(...paths.map((path) => path.map(elementOf)));
    known.set(subresource, fields);
  }
  return fields;
}

/** Fields that a request cannot set: status on the main resource, everything else on its status. */
function ignoredFields(resource: ServedResource, subresource: string): FieldSet {
  const { schema, strategy } = resource;
  let known = ignored.get(schema);
  if (known === undefined) {
    known = new Map();
    ignored.set(schema, known);
  }
  let fields = known.get(subresource);
  if (fields === undefined) {
    const paths = strategy.resetFields?.[subresource] ?? defaultResetFields(resource, subresource);
    fields = fieldSetOf(...paths.map((path) => path.map(fieldElement)));
    known.set(subresource, fields);
  }
  return fields;
}

function defaultResetFields({ schema, row, strategy }: ServedResource, subresource: string): string[][] {
  if (subresource === '') return row.subresources.some(({ name }) => name === 'status') ? [['status']] : [];
  if (subresource !== 'status') return [];
  const kept = strategy.status?.updatesMetadata === false ? ['status'] : ['metadata', 'status'];
  return [...schema.members].filter((name) => !kept.includes(name)).map((name) => [name]);
}
