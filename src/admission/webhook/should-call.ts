import { apiVersionOf } from '../../model/object.ts';
import type { AdmissionRequest, VersionedObjects } from '../../request/admission.ts';
import type { MaybePromise } from '../../steps/steps.ts';
import type { MatchedVersion } from '../expressions/request-object.ts';
import { type Candidate, matchedVersion } from '../matching/match-index.ts';
import type { RequestLabels } from '../matching/selectors.ts';
import type { CompiledWebhook } from './compiled-webhook.ts';
import type { ConditionOptions } from './conditions.ts';
import type { WebhookEntry } from './webhook-set.ts';

/** Whether the selectors of a candidate match. @throws ApiError 404 when the namespace does not exist */
export function selectorsMatch(
  { entry: { webhook } }: Candidate<WebhookEntry>,
  labels: RequestLabels,
): MaybePromise<boolean> {
  // The cheaper one first; if it does not match, an absent namespace is no error.
  if (!labels.matchesObject(webhook.objects)) return false;
  return labels.matchesNamespace(webhook.namespaces);
}

/** The version in which a candidate is asked about a request. */
export function seenVersion(
  candidate: Candidate<WebhookEntry>,
  request: AdmissionRequest,
): MatchedVersion & { readonly apiVersion: string } {
  const { resource, kind = request.kind } = matchedVersion(candidate, request.name)!;
  return { resource, kind, apiVersion: apiVersionOf(kind.group, kind.version) };
}

let engine: typeof import('./conditions.ts') | undefined;

/**
 * Whether the match conditions of a webhook let it see a request. An error makes the failure policy decide.
 * The expression engine is loaded with the first condition, so that the start does not wait for it.
 * @throws ApiError 403 for an error, with the failure policy Fail
 */
export function conditionsMatch(
  webhook: CompiledWebhook,
  request: AdmissionRequest,
  seen: MatchedVersion,
  objects: VersionedObjects,
  options: ConditionOptions,
): MaybePromise<boolean> {
  if (webhook.matchConditions.length === 0) return true;
  if (engine !== undefined) return engine.evaluateMatch(webhook, request, seen, objects, options);
  return import('./conditions.ts').then((loaded) => {
    engine = loaded;
    return loaded.evaluateMatch(webhook, request, seen, objects, options);
  });
}
