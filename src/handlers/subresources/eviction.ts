import { parseJson } from '../../codec/json-parse.ts';
import { setPodCondition } from '../../kinds/core/pods/scheduling-gates.ts';
import type { Pod } from '../../model/generated/core-v1.ts';
import type { DeleteOptions } from '../../model/generated/meta-v1.ts';
import type { KubernetesObject } from '../../model/object.ts';
import { formatTime } from '../../model/time.ts';
import { admitAction, NO_FURTHER_ADMISSION } from '../../operations/admission.ts';
import { remove } from '../../operations/delete.ts';
import { validateDeleteOptions } from '../../operations/delete-options.ts';
import { assertPreconditions } from '../../operations/deletion-preconditions.ts';
import type { OperationContext } from '../../operations/environment.ts';
import { checkNamespace } from '../../operations/object-metadata.ts';
import { recordInterceptedOwnership, unchangedOwnership } from '../../operations/ownership.ts';
import { update } from '../../operations/update.ts';
import type { RequestContext } from '../../request/context.ts';
import { builtinSchema } from '../../resources/object-schema.ts';
import type { ServedResource } from '../../resources/served-resource.ts';
import { ApiError, errors, invalid } from '../../status/index.ts';
import type { HandlerEnvironment } from '../environment.ts';
import { decodeObject, readBody } from '../request/body.ts';
import { parseWriteOptions } from '../request/parameters.ts';
import { sendSuccess } from '../response/send-object.ts';
import { operationContext, optionsObject } from '../verbs/create.ts';
import { allowsUnhealthy, guardingBudgets, stillProcessed, useDisruption } from './disruption-budgets.ts';

/** The owner of what the server writes itself. */
const SERVER = 'kube-apiserver';
const EVICTED = {
  type: 'DisruptionTarget',
  status: 'True',
  reason: 'EvictionByEvictionAPI',
  message: 'Eviction API: evicting',
};
const KIND = { group: 'policy', version: 'v1', kind: 'Eviction' };
const POD = { group: '', resource: 'Pod' };
const OLD_VERSION = 'policy/v1beta1';

/** Handles POST of an Eviction: deletes the pod unless a disruption budget forbids it. */
export async function evictPod(
  context: RequestContext,
  pods: ServedResource,
  budgets: ServedResource,
  environment: HandlerEnvironment,
): Promise<void> {
  if (context.exchange.method !== 'POST') throw errors.methodNotAllowed();
  const options = parseWriteOptions(context, 'CreateOptions');
  const body = await readBody(context, environment.maximumBodyBytes);
  const given = await decodeEviction(context, body, options.fieldValidation);
  checkNamespace(given, context.info.namespace);
  const requestOperation = operationContext(context, pods, environment, options);
  await recordInterceptedOwnership(requestOperation, KIND, given);
  const { object: eviction, validate } = await admitAction(
    requestOperation,
    KIND,
    given,
    optionsObject('CreateOptions', options),
  );
  const { name, namespace } = context.info;
  if ((eviction.metadata?.name ?? '') !== name)
    throw errors.badRequest('name in URL does not match name in Eviction object');
  checkNamespace(eviction, namespace);
  const deletion = deletionOf(eviction, options.dryRun);
  refuseUnreadableDeletion(deletion, name);
  await validate();
  const { stored } = pods;
  await stored.cache.waitFresh('latest');
  const record = stored.cache.get(stored.key(namespace, name));
  if (record === undefined) throw errors.notFound(pods.row, name);
  const pod = stored.decode(record) as Pod;
  const dryRun = (deletion.dryRun ?? []).length > 0;
  const operation: OperationContext = {
    ...requestOperation,
    subresource: '',
    dryRun,
    environment: { ...requestOperation.environment, admission: NO_FURTHER_ADMISSION },
  };
  if (needsBudget(pod)) {
    const guarding = await guardingBudgets(budgets, pod, namespace);
    if (guarding.length > 1)
      // It is no fault of whoever evicts.
      throw errors.failed(
        'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
      );
    const [budget] = guarding;
    if (budget !== undefined && !isReady(pod) && allowsUnhealthy(budget)) {
      await evictUnhealthy(operation, pod, deletion, budget.metadata!.name!);
      return sendSuccess(context, 201);
    }
    // The budget's status is updated as by a separate client, except in a dry run.
    if (budget !== undefined)
      await useDisruption(
        {
          ...(dryRun ? operation : requestOperation),
          resource: budgets,
          subresource: 'status',
          fieldManager: SERVER,
        },
        budget.metadata!.name!,
        name,
      );
  }
  await markAndDelete(operation, name, deletion);
  await sendSuccess(context, 201);
}

async function decodeEviction(
  context: RequestContext,
  body: Buffer,
  validation: 'Ignore' | 'Warn' | 'Strict',
): Promise<KubernetesObject> {
  const expected = {
    ...KIND,
    types: context.scheme.types,
    schema: builtinSchema(context.scheme.types, 'policy', 'v1', 'Eviction')!,
  };
  // Version v1beta1 has the same fields.
  if (
    body.includes(OLD_VERSION) &&
    (context.exchange.header('content-type') ?? 'application/json').startsWith('application/json')
  ) {
    const { value } = parseJson(body);
    if ((value as KubernetesObject | null)?.apiVersion === OLD_VERSION)
      return expected.schema.fromPlain(value).value;
  }
  return decodeObject(context, expected, body, validation);
}

/**
 * Returns the options of the deletion, a dry run if the request or the eviction says so.
 * @throws ApiError 400 if both do, with different values
 */
function deletionOf({ deleteOptions }: KubernetesObject, dryRun: boolean): DeleteOptions {
  const options = (deleteOptions ?? {}) as DeleteOptions;
  if (!dryRun) return options;
  const dryRunOptions = options.dryRun ?? [];
  if (dryRunOptions.length > 0 && dryRunOptions.join() !== 'All')
    throw errors.badRequest(
      `Non-matching dry-run options in request and content: [All] and [${dryRunOptions.join(' ')}]`,
    );
  return { ...options, dryRun: ['All'] };
}

/** Rejects the option for unreadable objects. @throws ApiError 422 */
function refuseUnreadableDeletion(
  { ignoreStoreReadErrorWithClusterBreakingPotential: ignores }: DeleteOptions,
  name: string,
): void {
  if (ignores !== true) return;
  const field = 'deleteOptions.ignoreStoreReadErrorWithClusterBreakingPotential';
  throw errors.invalid(KIND, name, [
    invalid(field, true, 'can not be set for pod eviction, try after removing the option'),
  ]);
}

/** Pods that are finished, pending or already being deleted are evicted without a budget. */
function needsBudget({ status, metadata }: Pod): boolean {
  const phase = status?.phase;
  return (
    phase !== 'Succeeded' &&
    phase !== 'Failed' &&
    phase !== 'Pending' &&
    metadata?.deletionTimestamp === undefined
  );
}

const isReady = ({ status }: Pod): boolean =>
  (status?.conditions ?? []).some(({ type, status: value }) => type === 'Ready' && value === 'True');

/** Evicts a pod that counts as unhealthy, unless it has changed meanwhile. @throws ApiError 429 if it has */
async function evictUnhealthy(
  operation: OperationContext,
  { metadata }: Pod,
  deletion: DeleteOptions,
  budgetName: string,
): Promise<void> {
  const { preconditions } = deletion;
  const { name, resourceVersion } = metadata!;
  try {
    await markAndDelete(operation, name!, {
      ...deletion,
      preconditions: { ...preconditions, resourceVersion },
    });
  } catch (error) {
    const isRace = preconditions?.resourceVersion === undefined;
    if (isRace && error instanceof ApiError && error.reason === 'Conflict') throw stillProcessed(budgetName);
    throw error;
  }
}

async function markAndDelete(
  operation: OperationContext,
  name: string,
  deletion: DeleteOptions,
): Promise<void> {
  const effective = operation.dryRun ? deletion : await markEvicted(operation, name, deletion);
  validateDeleteOptions(effective, operation.request.scheme);
  await remove(operation, name, effective);
}

/**
 * Adds the condition `DisruptionTarget` to the pod.
 * @returns the options of the deletion; a version as precondition is that of the marked pod
 * @throws ApiError 409 if the pod does not meet the preconditions
 */
async function markEvicted(
  operation: OperationContext,
  name: string,
  deletion: DeleteOptions,
): Promise<DeleteOptions> {
  const { preconditions } = deletion;
  // An empty precondition is none.
  const wanted = {
    uid: preconditions?.uid || undefined,
    resourceVersion: preconditions?.resourceVersion || undefined,
  };
  const { environment } = operation;
  const { record } = await update(
    { ...operation, subresource: 'status', environment: { ...environment, ownership: unchangedOwnership } },
    {
      name,
      unconditional: true,
      createsWhenMissing: false,
      transform: (current) => {
        const pod = current as Pod;
        assertPreconditions(POD, name, wanted, pod.metadata ?? {});
        setPodCondition(pod, EVICTED, formatTime(environment.now()));
        return pod as KubernetesObject;
      },
    },
  );
  return preconditions?.resourceVersion === undefined
    ? deletion
    : { ...deletion, preconditions: { ...preconditions, resourceVersion: String(record.revision) } };
}
