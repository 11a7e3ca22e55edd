import type { MatchResult } from '../../cel/index.ts';
import type { WebhookMetrics } from '../../observability/metrics-admission.ts';
import type { AdmissionRequest, VersionedObjects } from '../../request/admission.ts';
import type { Authorizer } from '../../request/attributes.ts';
import { errors } from '../../status/errors.ts';
import { runNow, runWaiting } from '../../steps/run.ts';
import type { MaybePromise } from '../../steps/steps.ts';
import { CostTurns } from '../../steps/turns.ts';
import { processClock } from '../../time/clock.ts';
import { authorizationSource } from '../expressions/authorization.ts';
import { type CompiledConditions, compileConditions, matchConditions } from '../expressions/conditions.ts';
import { type MatchedVersion, requestObject } from '../expressions/request-object.ts';
import { RequestBindings, RequestValues } from '../expressions/values.ts';
import { requestNamespace } from '../matching/rules.ts';
import type { CompiledWebhook, WebhookType } from './compiled-webhook.ts';

export interface ConditionOptions {
  readonly authorizer: Authorizer;
  readonly metrics: WebhookMetrics;
  readonly type: WebhookType;
}

const compiled = new WeakMap<CompiledWebhook, CompiledConditions>();

/** The conditions of a webhook, compiled on their first use. Equal expressions are compiled once. */
function conditionsOf(webhook: CompiledWebhook): CompiledConditions {
  let conditions = compiled.get(webhook);
  if (conditions === undefined) {
    conditions = runNow(compileConditions(webhook.matchConditions, false))!;
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
  const decide = (result: MatchResult): boolean => {
    if (result.kind === 'error' && webhook.failsClosed)
      throw errors.forbidden(request.resource, request.name, result.message);
    return result.kind === 'match';
  };
  const result = runWaiting(
    matchConditions(conditions, {
      owner: { kind: 'webhook', name: webhook.name, type, operation: request.operation },
      bindings,
      turns: new CostTurns(request.turns),
      expired: () => processClock.monotonic() >= request.deadline,
      metrics,
    }),
  );
  return result instanceof Promise ? result.then(decide) : decide(result);
}
