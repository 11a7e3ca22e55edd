import type { CacheRecord } from '../../cache/record.ts';
import { getMember, type KubernetesObject } from '../../model/object.ts';
import type { OperationContext } from '../../operations/environment.ts';
import { appliedOwnership, fieldManager, servedForm, setEntries } from '../../operations/ownership.ts';
import { update } from '../../operations/update.ts';
import { builtinSchema } from '../../registry/object-schema.ts';
import type { ServedResource } from '../../registry/served-resource.ts';
import { tableOf } from '../../registry/tables/index.ts';
import { nameIsSubdomain } from '../../registry/validation/names.ts';
import { validateObjectMeta } from '../../registry/validation/object-meta.ts';
import type { MaybePromise, RequestContext } from '../../request/context.ts';
import { runInStepsIfLarge } from '../../request/scheduling/event-loop.ts';
import { errors, invalid } from '../../status/index.ts';
import type { HandlerEnvironment } from '../environment.ts';
import { decodeObject, decodePlain, type ExpectedKind, readBody } from '../request/body.ts';
import { parseWriteOptions } from '../request/parameters.ts';
import { sendObject } from '../response/send-object.ts';
import { checkConfiguration, configurationOf, parseApplyOptions, typedObject } from '../verbs/apply.ts';
import { operationContext, optionsObject } from '../verbs/create.ts';
import { PATCH_TYPES, patchedObject, patchType, readPatch } from '../verbs/patch.ts';
import { checkName } from '../verbs/update.ts';

const GROUP = 'autoscaling';
const VERSION = 'v1';

const expectedScale = (): ExpectedKind => ({
  group: GROUP,
  version: VERSION,
  kind: 'Scale',
  schema: builtinSchema(GROUP, VERSION, 'Scale')!,
});

/** Handles the `scale` subresource: the replicas of a workload in one form for all kinds. */
export async function handleScale(
  context: RequestContext,
  resource: ServedResource,
  environment: HandlerEnvironment,
): Promise<void> {
  const { method } = context.exchange;
  if (method === 'GET') return getScale(context, resource);
  if (method !== 'PUT' && method !== 'PATCH') throw errors.methodNotAllowed();
  const type = method === 'PATCH' ? patchType(context) : undefined;
  if (type === PATCH_TYPES.apply || type === PATCH_TYPES.applyCbor)
    return applyScale(context, resource, environment, type === PATCH_TYPES.apply ? 'yaml' : 'cbor');
  const options = parseWriteOptions(context, method === 'PUT' ? 'UpdateOptions' : 'PatchOptions');
  const expected = expectedScale();
  const { name } = context.info;
  let desiredScale: (current: KubernetesObject) => MaybePromise<KubernetesObject>;
  if (type === undefined) {
    const sent = await decodeObject(
      context,
      expected,
      await readBody(context, environment.maximumBodyBytes),
      options.fieldValidation,
    );
    checkName(sent.metadata?.name ?? '', name);
    desiredScale = () => sent;
  } else {
    const patch = await readPatch(context, environment, type, expected.schema, options.fieldValidation);
    desiredScale = (current) => patchedObject(context, expected, patch, scaleOf(resource, current));
  }
  const result = await update(operationContext(context, resource, environment, options), {
    name,
    unconditional: type !== undefined,
    createsWhenMissing: false,
    options: optionsObject(method === 'PUT' ? 'UpdateOptions' : 'PatchOptions', options),
    transform: async (current) => scaled(resource, current!, await desiredScale(current!), name),
  });
  await sendScale(context, resource, result.record);
}

/** Applies replicas. Ownership is recorded in the scaled object, under the manager's `scale` subresource. */
async function applyScale(
  context: RequestContext,
  resource: ServedResource,
  environment: HandlerEnvironment,
  encoding: 'yaml' | 'cbor',
): Promise<void> {
  const options = parseApplyOptions(context);
  const expected = expectedScale();
  const applied = await configurationOf(
    context,
    encoding,
    await readBody(context, environment.maximumBodyBytes),
    options.fieldValidation,
  );
  checkConfiguration(`${GROUP}/${VERSION}`, 'Scale', applied);
  const scale = decodePlain(context, expected, { value: applied, duplicates: [] }, 'Strict');
  const { name } = context.info;
  checkName(scale.metadata?.name ?? '', name);
  const operation: OperationContext = {
    ...operationContext(context, resource, environment, options),
    environment: { ...environment.operations, ownership: appliedOwnership },
  };
  const result = await update(operation, {
    name,
    unconditional: true,
    createsWhenMissing: false,
    options: { ...optionsObject('PatchOptions', options), force: options.force },
    transform: async (current) => {
      const live = servedForm(resource, current!);
      const configuration = {
        apiVersion: resource.apiVersion,
        kind: resource.row.kind,
        metadata: { name },
        ...replicasAt(resource, (applied as KubernetesObject).spec),
      };
      const { object, managedFields } = await runInStepsIfLarge(
        context,
        fieldManager(operation).applying(live, configuration, options.fieldManager, options.force),
      );
      const next = object === undefined ? current! : resource.toWorking(typedObject(resource, object));
      setEntries(next, managedFields);
      return scaled(resource, next, scaleOf(resource, next), name);
    },
  });
  await sendScale(context, resource, result.record);
}

/** The replicas of an applied Scale at their path in the scaled object; empty if it sets none. */
function replicasAt({ strategy }: ServedResource, spec: unknown): object {
  const replicas = typeof spec === 'object' && spec !== null ? getMember(spec, 'replicas') : undefined;
  if (replicas === undefined) return {};
  return strategy.scale!.specPath.reduceRight<unknown>(
    (below, part) => ({ [part]: below }),
    replicas,
  ) as object;
}

/** How errors of this subresource name it. */
/** The resource in error messages; replication controllers use the group of their scale. */
const scaleResource = ({ row: { group, resource } }: ServedResource) => ({
  group: group === '' ? 'autoscaling' : group,
  resource: `${resource}/scale`,
});

async function getScale(context: RequestContext, resource: ServedResource): Promise<void> {
  const { stored } = resource;
  await stored.cache.ready();
  const record = stored.cache.get(stored.key(context.info.namespace, context.info.name));
  if (record === undefined) throw errors.notFound(scaleResource(resource), context.info.name);
  await sendScale(context, resource, record);
}

async function sendScale(
  context: RequestContext,
  resource: ServedResource,
  record: CacheRecord,
): Promise<void> {
  await sendObject(
    context,
    200,
    GROUP,
    VERSION,
    'Scale',
    scaleOf(resource, resource.stored.decode(resource.conversion.view(record))),
    tableOf(GROUP, 'scales'),
  );
}

/** Returns the Scale of a stored object. */
function scaleOf({ strategy }: ServedResource, object: KubernetesObject): KubernetesObject {
  const { specPath, statusPath, selector } = strategy.scale!;
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata!;
  const selected = selector(object);
  return {
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
    spec: compact({ replicas: numberAt(object, specPath) }),
    status: { replicas: numberAt(object, statusPath), ...(selected === '' ? {} : { selector: selected }) },
  };
}

const compact = ({ replicas }: { replicas: number }): { replicas?: number } =>
  replicas === 0 ? {} : { replicas };

function numberAt(object: object, path: readonly string[]): number {
  let value: unknown = object;
  for (const part of path)
    value = value === undefined || value === null ? undefined : getMember(value as object, part);
  return typeof value === 'number' ? value : 0;
}

/**
 * Returns the object with the replicas of a Scale; the Scale's version and uid are preconditions.
 * @throws ApiError 422
 */
function scaled(
  { strategy }: ServedResource,
  object: KubernetesObject,
  scale: KubernetesObject,
  name: string,
): KubernetesObject {
  const replicas = (scale.spec as { replicas?: number } | undefined)?.replicas ?? 0;
  // Managed fields of the scaled object are kept; those in the Scale are ignored.
  const metadata = {
    ...scale.metadata,
    name,
    namespace: object.metadata?.namespace,
    managedFields: undefined,
  };
  const problems = validateObjectMeta(metadata, { namespaced: true, validateName: nameIsSubdomain });
  if (replicas < 0) problems.push(invalid('spec.replicas', replicas, 'must be greater than or equal to 0'));
  if (problems.length > 0) throw errors.invalid({ group: GROUP, kind: 'Scale' }, name, problems);
  const { resourceVersion, uid } = scale.metadata ?? {};
  object.metadata = {
    ...object.metadata,
    resourceVersion,
    ...(uid === undefined || uid === '' ? {} : { uid }),
  };
  let target: Record<string, unknown> = object;
  const { specPath } = strategy.scale!;
  for (const part of specPath.slice(0, -1)) {
    target[part] ??= {};
    target = target[part] as Record<string, unknown>;
  }
  target[specPath.at(-1)!] = replicas;
  return object;
}
