import type { CacheRecord } from '../../cache/record.ts';
import { scaleTable } from '../../kinds/autoscaling/scale-table.ts';
import { validateObjectMeta } from '../../kinds/validation/object-meta.ts';
import type { Life } from '../../model/life.ts';
import { nameIsSubdomain } from '../../model/name-syntax.ts';
import { getMember, type KubernetesObject, memberAt, setMember } from '../../model/object.ts';
import type { RuleContext } from '../../model/rule-context.ts';
import type { TypeModel } from '../../model/type-model.ts';
import { type AdmittedForm, type FormOwners, singleKind } from '../../operations/admitted-kind.ts';
import type { OperationContext } from '../../operations/environment.ts';
import { checkNamespace } from '../../operations/object-metadata.ts';
import { setEntries, unchangedOwnership } from '../../operations/ownership.ts';
import {
  type MutableOwners,
  ownersOfScaledInSteps,
  ownersOfScaleInSteps,
  scaleFieldManager,
  scaleOwnership,
} from '../../operations/scale-ownership.ts';
import { update } from '../../operations/update.ts';
import type { RequestContext } from '../../request/context.ts';
import { builtinSchema } from '../../resources/object-schema.ts';
import type { ServedResource } from '../../resources/served-resource.ts';
import { errors, invalid } from '../../status/index.ts';
import { runIfLarge } from '../../steps/run.ts';
import type { MaybePromise } from '../../steps/steps.ts';
import type { HandlerEnvironment } from '../environment.ts';
import { decodeObject, decodePlainStrictly, readBody } from '../request/body.ts';
import type { ExpectedKind } from '../request/expected-kind.ts';
import { parseApplyOptions, parsePatchOptions, parseWriteOptions } from '../request/parameters.ts';
import { negotiateRequest, objectEncodings, servedEncodings } from '../response/answer.ts';
import { sendObject } from '../response/send-object.ts';
import {
  type Configuration,
  checkConfiguration,
  configurationOf,
  outcomeOf,
  reportDuplicates,
} from '../verbs/apply.ts';
import { operationContext, optionsObject } from '../verbs/create.ts';
import { patchedObject, patchType, readPatch } from '../verbs/patch.ts';
import { PATCH_TYPES } from '../verbs/patchers.ts';
import { checkName } from '../verbs/update.ts';

const GROUP = 'autoscaling';
const VERSION = 'v1';

/** Stands for unset replicas while a patch is applied: no client can set it. */
const UNSET_REPLICAS = -(2 ** 31);

const expectedScale = (types: TypeModel): ExpectedKind => ({
  group: GROUP,
  version: VERSION,
  kind: 'Scale',
  types,
  schema: builtinSchema(types, GROUP, VERSION, 'Scale')!,
});

/** Handles the `scale` subresource: the replicas of a workload in one form for all kinds. */
export async function handleScale(
  context: RequestContext,
  resource: ServedResource,
  environment: HandlerEnvironment,
): Promise<void> {
  const { method } = context.exchange;
  negotiateScale(context, resource);
  if (method === 'GET') return getScale(context, resource, environment);
  if (method !== 'PUT' && method !== 'PATCH') throw errors.methodNotAllowed();
  const type = method === 'PATCH' ? patchType(context, resource.schema) : undefined;
  if (type === PATCH_TYPES.apply || type === PATCH_TYPES.applyCbor)
    return applyScale(context, resource, environment, type === PATCH_TYPES.apply ? 'yaml' : 'cbor');
  const body = await readBody(context, environment.maximumBodyBytes);
  const options =
    type === undefined ? parseWriteOptions(context, 'UpdateOptions') : parsePatchOptions(context);
  const expected = expectedScale(resource.types);
  const { name } = context.info;
  let sentScale: KubernetesObject | undefined;
  let desiredScale: (current: KubernetesObject) => MaybePromise<KubernetesObject>;
  if (type === undefined) {
    const sent = await decodeObject(context, expected, body, options.fieldValidation);
    checkName(sent.metadata?.name ?? '', name);
    checkNamespace(sent, context.info.namespace);
    sentScale = sent;
    desiredScale = () => sent;
  } else {
    const patch = await readPatch(context, body, type, expected.schema, options.fieldValidation);
    desiredScale = async (current) => {
      const patched = await patchedObject(
        context,
        expected,
        patch,
        scaleOf(resource, current, UNSET_REPLICAS),
      );
      checkNamespace(patched, context.info.namespace);
      checkPatchedUid(resource, patched, current, name);
      return patched;
    };
  }
  const owners: MutableOwners = {};
  const operation = operationContext(context, resource, environment, options);
  const ownership = scaleOwnership(owners);
  const result = await update(
    { ...operation, environment: { ...operation.environment, ownership } },
    {
      name,
      unconditional: type !== undefined,
      createsWhenMissing: false,
      options: optionsObject('UpdateOptions', options),
      admittedForm: scaleForm(resource, name, context.scheme.has, owners, sentScale),
      transform: async (current) =>
        scaled(resource, current!, await desiredScale(current!), name, context.scheme.has),
    },
  );
  // The stored object lacks replicas that its schema does not have.
  await sendScale(context, resource, environment, result.record, 0);
}

/** Checks the uid that a patch leaves, which is a precondition. @throws ApiError 409 */
function checkPatchedUid(
  resource: ServedResource,
  { metadata }: KubernetesObject,
  current: KubernetesObject,
  name: string,
): void {
  const [uid, stored] = [metadata?.uid ?? '', current.metadata!.uid!];
  if (uid === '' || uid === stored) return;
  throw errors.conflict(
    scaleResource(resource),
    name,
    `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${stored}`,
  );
}

/** Refuses a request whose client accepts no form of a Scale. @throws ApiError 406 */
const negotiateScale = (context: RequestContext, { schema }: ServedResource): unknown =>
  negotiateRequest(context, {
    encodings: servedEncodings(context),
    objectEncodings: objectEncodings(context, schema),
    isUntyped: schema.isUntyped,
    projections: ['table', 'metadata', 'metadata-list'],
  });

/** Applies replicas. Ownership is recorded in the scaled object, under the manager's `scale` subresource. */
async function applyScale(
  context: RequestContext,
  resource: ServedResource,
  environment: HandlerEnvironment,
  encoding: 'yaml' | 'cbor',
): Promise<void> {
  const body = await readBody(context, environment.maximumBodyBytes);
  const options = parseApplyOptions(context);
  const expected = expectedScale(resource.types);
  const { name } = context.info;
  const readConfiguration = async (): Promise<Configuration> => {
    const parsed = await configurationOf(context, encoding, body);
    checkConfiguration(`${GROUP}/${VERSION}`, 'Scale', parsed.value);
    const scale = await decodePlainStrictly(context, expected, parsed.value);
    // A configuration without a name applies to the object of the path.
    checkName(scale.metadata?.name || name, name);
    return parsed;
  };
  const applied = await outcomeOf(readConfiguration());
  const operation: OperationContext = {
    ...operationContext(context, resource, environment, options),
    environment: { ...environment.operations, ownership: unchangedOwnership },
  };
  const owners: MutableOwners = {};
  const fields = scaleFieldManager(resource.types, () => operation.environment.now());
  const result = await update(operation, {
    name,
    unconditional: true,
    createsWhenMissing: false,
    options: optionsObject('UpdateOptions', options),
    admittedForm: scaleForm(resource, name, context.scheme.has, owners),
    transform: async (current) => {
      if ('error' in applied) throw applied.error;
      const entries = current!.metadata?.managedFields;
      const live = scaleOf(resource, current!, UNSET_REPLICAS);
      owners.before = await runIfLarge(context, ownersOfScaleInSteps(resource, entries));
      setEntries(live, owners.before);
      if (live.metadata?.managedFields === undefined) refuseDeclared(resource);
      const { object, managedFields } = await runIfLarge(
        context,
        fields.apply(live, applied.value.value, options.fieldManager, options.force),
      );
      owners.after = managedFields;
      reportDuplicates(context, applied.value, options.fieldValidation);
      if (object !== undefined) refuseDeclared(resource);
      const next = object === undefined ? live : await decodePlainStrictly(context, expected, object);
      setEntries(
        current!,
        await runIfLarge(context, ownersOfScaledInSteps(resource, entries, managedFields)),
      );
      return scaled(resource, current!, next, name, context.scheme.has);
    },
  });
  // The stored object lacks replicas that its schema does not have.
  await sendScale(context, resource, environment, result.record, 0);
}

/**
 * Refuses to apply the Scale of a custom resource. kube-apiserver cannot convert it, which it does for its first
 * owners and for every change, and returns 500.
 * @throws ApiError 400
 */
function refuseDeclared({ strategy, row }: ServedResource): void {
  if (strategy.scale!.declared === true)
    throw errors.badRequest(
      `the scale of ${row.resource}.${row.group} cannot be applied; update or patch it`,
    );
}

/** The Scale of an object, for admission. */
const scaleForm = (
  resource: ServedResource,
  name: string,
  has: RuleContext['has'],
  owners: FormOwners,
  sent?: KubernetesObject,
): AdmittedForm => ({
  owners,
  ...(sent === undefined ? {} : { sent: () => ({ ...sent, metadata: { ...sent.metadata } }) }),
  kind: singleKind({ group: GROUP, version: VERSION, kind: 'Scale' }, expectedScale(resource.types).schema),
  of: (object) => scaleOf(resource, object, UNSET_REPLICAS),
  merge: (object, scale) => scaled(resource, object, scale, name, has),
});

/** The resource in error messages; replication controllers use the group of their scale. */
const scaleResource = ({ row: { group, resource }, strategy }: ServedResource) =>
  strategy.scale!.declared === true
    ? { group, resource }
    : { group: group === '' ? 'autoscaling' : group, resource: `${resource}/scale` };

/** The releases that report a missing object as one of the resource when its scale is read. */
const MISSES_RESOURCE: Life = { since: '1.33' };

async function getScale(
  context: RequestContext,
  resource: ServedResource,
  environment: HandlerEnvironment,
): Promise<void> {
  const { stored } = resource;
  await stored.cache.waitFresh('latest');
  const record = stored.cache.get(stored.key(context.info.namespace, context.info.name));
  const { missesResource = false } = resource.strategy.scale!;
  if (record === undefined)
    throw errors.notFound(
      missesResource || context.scheme.has(MISSES_RESOURCE) ? resource.row : scaleResource(resource),
      context.info.name,
    );
  await sendScale(context, resource, environment, record);
}

async function sendScale(
  context: RequestContext,
  resource: ServedResource,
  environment: HandlerEnvironment,
  record: CacheRecord,
  unset?: number,
): Promise<void> {
  await sendObject(
    context,
    200,
    GROUP,
    VERSION,
    'Scale',
    scaleOf(resource, await resource.conversion.load(record, context), unset),
    { definition: resource.strategy.scale!.table ?? scaleTable, now: environment.now() },
    objectEncodings(context, resource.schema),
  );
}

/**
 * Returns the Scale of a stored object.
 * @param unset the replicas of an object whose declared field is unset
 * @throws ApiError if it is unset and no such number is given
 */
function scaleOf({ strategy }: ServedResource, object: KubernetesObject, unset?: number): KubernetesObject {
  const { specPath, statusPath, selector, declared } = strategy.scale!;
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata!;
  const selected = selector(object);
  const replicas = numberAt(object, specPath) ?? (declared === true ? unset : 0);
  if (replicas === undefined)
    throw errors.internal(
      `the spec replicas field ${JSON.stringify(`.${specPath.join('.')}`)} does not exist`,
    );
  return {
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
    spec: compact(replicas),
    status: {
      replicas: numberAt(object, statusPath) ?? 0,
      ...(selected === '' ? {} : { selector: selected }),
    },
  };
}

const compact = (replicas: number): { replicas?: number } => (replicas === 0 ? {} : { replicas });

function numberAt(object: object, path: readonly string[]): number | undefined {
  const value = memberAt(object, path);
  return typeof value === 'number' ? value : undefined;
}

/**
 * Returns the object with the replicas of a Scale; the Scale's version and uid are preconditions.
 * @throws ApiError 400, 422
 */
function scaled(
  { strategy }: ServedResource,
  object: KubernetesObject,
  scale: KubernetesObject,
  name: string,
  has: RuleContext['has'],
): KubernetesObject {
  const { specPath, declared } = strategy.scale!;
  const replicas = (scale.spec as { replicas?: number } | undefined)?.replicas ?? 0;
  if (declared !== true) validateScale(object, scale, replicas, name, has);
  else if (replicas === UNSET_REPLICAS)
    throw errors.badRequest(
      `the spec replicas field ${JSON.stringify(`.${specPath.join('.')}`)} cannot be empty`,
    );
  const { resourceVersion, uid } = scale.metadata ?? {};
  object.metadata = {
    ...object.metadata,
    resourceVersion,
    ...(uid === undefined || uid === '' ? {} : { uid }),
  };
  setReplicas(object, specPath, replicas);
  return object;
}

/** The releases that validate nothing of the metadata of a Scale, which is dropped. */
const IGNORES_METADATA: Life = { since: '1.37' };

/** @throws ApiError 422 */
function validateScale(
  object: KubernetesObject,
  scale: KubernetesObject,
  replicas: number,
  name: string,
  has: RuleContext['has'],
): void {
  // Managed fields of the scaled object are kept; those in the Scale are ignored.
  const metadata = {
    ...scale.metadata,
    name,
    namespace: object.metadata?.namespace,
    managedFields: undefined,
  };
  const problems = has(IGNORES_METADATA)
    ? []
    : validateObjectMeta(metadata, { namespaced: true, validateName: nameIsSubdomain });
  if (replicas < 0) problems.push(invalid('spec.replicas', replicas, 'must be greater than or equal to 0'));
  if (problems.length > 0) throw errors.invalid({ group: GROUP, kind: 'Scale' }, name, problems);
}

/** Sets the replicas; missing parents are created. @throws ApiError 400 if a parent is no object */
function setReplicas(object: KubernetesObject, path: readonly string[], replicas: number): void {
  let target: object = object;
  for (const [index, part] of path.slice(0, -1).entries()) {
    let next = getMember(target, part);
    if (next === undefined || next === null) {
      next = {};
      setMember(target, part, next);
    }
    if (typeof next !== 'object' || Array.isArray(next))
      throw errors.badRequest(
        `value cannot be set because .${path.slice(0, index + 1).join('.')} is not an object`,
      );
    target = next as object;
  }
  setMember(target, path.at(-1)!, replicas);
}
