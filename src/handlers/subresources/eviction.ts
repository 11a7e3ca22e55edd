import { parseJson } from '../../codec/json-parse.ts';
import type { PodDisruptionBudget, PodDisruptionBudgetStatus } from '../../model/generated/policy-v1.ts';
import type { KubernetesObject } from '../../model/object.ts';
import { labelSelectorMatches } from '../../model/object-label-selector.ts';
import { formatTime } from '../../model/time.ts';
import { admitAction, NO_FURTHER_ADMISSION } from '../../operations/admission.ts';
import { remove } from '../../operations/delete.ts';
import { type DeleteOptions, validateDeleteOptions } from '../../operations/delete-options.ts';
import type { OperationContext } from '../../operations/environment.ts';
import { checkNamespace } from '../../operations/object-metadata.ts';
import { recordInterceptedOwnership } from '../../operations/ownership.ts';
import { update } from '../../operations/update.ts';
import type { Pod } from '../../registry/builtin/core/pods/pod-types.ts';
import { builtinSchema } from '../../registry/object-schema.ts';
import type { ServedResource } from '../../registry/served-resource.ts';
import type { RequestContext } from '../../request/context.ts';
import { ApiError, errors, invalid } from '../../status/index.ts';
import { prefixEnd } from '../../storage/storage.ts';
import type { HandlerEnvironment } from '../environment.ts';
import { decodeObject, readBody } from '../request/body.ts';
import { parseWriteOptions } from '../request/parameters.ts';
import { sendSuccess } from '../response/send-object.ts';
import { operationContext, optionsObject } from '../verbs/create.ts';

const BUDGET_TEXT = "Cannot evict pod as it would violate the pod's disruption budget.";
const STILL_PROCESSED_SECONDS = 10;
/** Limit on the evictions that a budget records as unconfirmed. */
const MAXIMUM_DISRUPTED_PODS = 2000;
const KIND = { group: 'policy', version: 'v1', kind: 'Eviction' };
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
  validateDeleteOptions(deletion);
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
      throw errors.badRequest(
        'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
      );
    const [budget] = guarding;
    const unhealthyGoes = budget?.spec?.unhealthyPodEvictionPolicy === 'AlwaysAllow' && !isReady(pod);
    // The budget's status is updated as by a separate client, except in a dry run.
    if (budget !== undefined && !unhealthyGoes)
      await useDisruption(
        { ...(dryRun ? operation : requestOperation), resource: budgets, subresource: 'status' },
        budget.metadata!.name!,
        name,
      );
  }
  await remove(operation, name, deletion);
  await sendSuccess(context, 201);
}

async function decodeEviction(
  context: RequestContext,
  body: Buffer,
  validation: 'Ignore' | 'Warn' | 'Strict',
): Promise<KubernetesObject> {
  const expected = { ...KIND, schema: builtinSchema('policy', 'v1', 'Eviction')! };
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

async function guardingBudgets(
  budgets: ServedResource,
  pod: Pod,
  namespace: string,
): Promise<PodDisruptionBudget[]> {
  const { stored } = budgets;
  await stored.cache.waitFresh('latest');
  const found: PodDisruptionBudget[] = [];
  const start = stored.scope(namespace);
  stored.cache.current().scan(start, prefixEnd(start), (record) => {
    const budget = stored.decode(record) as PodDisruptionBudget;
    if (
      budget.spec?.selector !== undefined &&
      labelSelectorMatches(budget.spec.selector, pod.metadata?.labels)
    )
      found.push(budget);
    return undefined;
  });
  return found;
}

/** Uses one allowed disruption of the budget's status. @throws ApiError 429 if none is left */
async function useDisruption(
  operation: OperationContext,
  budgetName: string,
  podName: string,
): Promise<void> {
  await update(operation, {
    name: budgetName,
    unconditional: true,
    createsWhenMissing: false,
    transform: (current) => {
      const budget = current as PodDisruptionBudget;
      budget.status ??= {} as PodDisruptionBudgetStatus;
      const { status } = budget;
      if ((status.observedGeneration ?? 0) < (budget.metadata?.generation ?? 0))
        throw errors.tooManyRequestsWithCauses(BUDGET_TEXT, STILL_PROCESSED_SECONDS, [
          {
            reason: 'DisruptionBudget',
            message: `The disruption budget ${budgetName} is still being processed by the server.`,
          },
        ]);
      if (Object.keys(status.disruptedPods ?? {}).length > MAXIMUM_DISRUPTED_PODS)
        throw refused(`DisruptedPods map too big - too many evictions not confirmed by PDB controller`);
      const allowed = status.disruptionsAllowed ?? 0;
      if (allowed <= 0)
        throw refused(
          `The disruption budget ${budgetName} needs ${status.desiredHealthy ?? 0} healthy pods and has ${status.currentHealthy ?? 0} currently`,
        );
      status.disruptionsAllowed = allowed - 1;
      const now = formatTime(operation.environment.now());
      if (allowed - 1 === 0) setDisruptionCondition(status, budget.metadata?.generation, now);
      status.disruptedPods = { ...status.disruptedPods, [podName]: now };
      return budget as KubernetesObject;
    },
  });
}

const refused = (message: string): ApiError =>
  new ApiError(429, 'TooManyRequests', BUDGET_TEXT, { causes: [{ reason: 'DisruptionBudget', message }] });

function setDisruptionCondition(
  status: PodDisruptionBudgetStatus,
  generation: number | undefined,
  now: string,
): void {
  const others = (status.conditions ?? []).filter(({ type }) => type !== 'DisruptionAllowed');
  status.conditions = [
    ...others,
    {
      type: 'DisruptionAllowed',
      status: 'False',
      reason: 'InsufficientPods',
      message: '',
      lastTransitionTime: now,
      observedGeneration: generation,
    },
  ];
}
