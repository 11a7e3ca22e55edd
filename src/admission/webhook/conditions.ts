import type { AdmissionRequest, VersionedObjects } from '../../request/admission.ts';
import type { MaybePromise } from '../../request/context.ts';
import { errors } from '../../status/errors.ts';
import { authorizationSource } from '../expressions/authorization.ts';
import { type CompiledConditions, compileConditions, evaluateConditions } from '../expressions/conditions.ts';
import { type MatchedVersion, requestObject } from '../expressions/request-object.ts';
import { runPausing, Turns } from '../expressions/steps.ts';
import { RequestBindings, RequestValues } from '../expressions/values.ts';
import { requestNamespace } from '../matching/rules.ts';
import type { CompiledWebhook } from './compiled-webhook.ts';
import type { ConditionOptions } from './should-call.ts';

const compiled = new WeakMap<CompiledWebhook, CompiledConditions>();

/** The conditions of a webhook, compiled on their first use. Equal expressions are compiled once. */
function conditionsOf(webhook: CompiledWebhook): CompiledConditions {
  let conditions = compiled.get(webhook);
  if (conditions === undefined) {
    const steps = compileConditions(webhook.matchConditions, false);
    let step = steps.next();
    while (step.done !== true) step = steps.next();
    conditions = step.value!;
    compiled.set(webhook, conditions);
  }
  return conditions;
}

/**
 * Whether the match conditions of a webhook let it see a request. An error makes the failure policy decide.
 * @throws ApiError 403 for an error, with the failure policy Fail
 */
export function evaluateMatch(
  webhook: CompiledWebhook,
  request: AdmissionRequest,
  seen: MatchedVersion,
  objects: VersionedObjects,
  { authorizer, metrics, type }: ConditionOptions,
): MaybePromise<boolean> {
  const conditions = conditionsOf(webhook);
  const started = performance.now();
  const values = new RequestValues({
    object: () => objects.object?.plain(),
    oldObject: () => objects.oldObject?.plain(),
    request: () => requestObject(request, seen),
    namespaceObject: () => undefined,
    authorization: authorizationSource(authorizer, request.user),
    requestResource: {
      group: request.resource.group,
      resource: request.resource.resource,
      subresource: request.subresource,
      namespace: requestNamespace(request),
      name: request.name,
    },
  });
  const bindings = new RequestBindings(values, {
    authorizer: true,
    namespaceObject: false,
    params: undefined,
  });
  const expired = () => performance.now() >= request.deadline;
  const decide = (result: Awaited<ReturnType<typeof evaluate>>): boolean => {
    const labels = ['webhook', webhook.name, request.operation, type === 'admit' ? 'admit' : 'validate'];
    metrics.matchConditionDuration.with(...labels).observe((performance.now() - started) / 1000);
    if (result.matches === true) return true;
    if (result.matches === false) {
      metrics.matchConditionExclusions.with(...labels).add();
      return false;
    }
    metrics.matchConditionErrors.with(...labels).add();
    if (webhook.failsClosed) throw errors.forbidden(request.resource, request.name, result.error);
    return false;
  };
  const evaluate = () =>
    runPausing(evaluateConditions(conditions, { bindings, turns: new Turns(), expired }));
  const result = evaluate();
  return result instanceof Promise ? result.then(decide) : decide(result);
}
