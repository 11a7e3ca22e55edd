import type { AdmissionPlugin, AdmissionRequest } from '../../request/admission.ts';
import type { MatchedVersion } from '../expressions/request-object.ts';
import { type Candidate, matchedVersion } from '../matching/match-index.ts';
import { RequestLabels } from '../matching/selectors.ts';
import { callWebhook } from './call.ts';
import type { CompiledWebhook } from './compiled-webhook.ts';
import { denial, failedClosed, WebhookCallError } from './failures.ts';
import { checkDeadline, observeCall } from './outcome.ts';
import type { WebhookPluginOptions } from './plugin-options.ts';
import { conditionsMatch, seenVersion, selectorsMatch } from './should-call.ts';
import { webhookPlugin } from './webhook-plugin.ts';
import type { WebhookEntry } from './webhook-set.ts';

/** Asks validating webhooks side by side. */
export function validatingWebhooks(options: WebhookPluginOptions): AdmissionPlugin {
  const { set, namespace } = options;
  return webhookPlugin('ValidatingAdmissionWebhook', set, {
    validate(request) {
      const candidates = set.index.candidates(request);
      if (candidates.length === 0) return;
      const labels = new RequestLabels(request, namespace);
      const pending: Promise<boolean>[] = [];
      const matching: Candidate<WebhookEntry>[] = [];
      for (const candidate of candidates) {
        if (matchedVersion(candidate, request.name) === undefined) continue;
        const matches = selectorsMatch(candidate, labels);
        if (matches === false) continue;
        matching.push(candidate);
        pending.push(Promise.resolve(matches));
      }
      if (matching.length > 0) return dispatch(options, request, matching, pending);
    },
  });
}

interface Call {
  readonly webhook: CompiledWebhook;
  readonly seen: MatchedVersion & { readonly apiVersion: string };
}

async function dispatch(
  options: WebhookPluginOptions,
  request: AdmissionRequest,
  candidates: readonly Candidate<WebhookEntry>[],
  matches: readonly Promise<boolean>[],
): Promise<void> {
  const selected = await Promise.all(matches);
  const calls: Call[] = [];
  for (const [position, candidate] of candidates.entries()) {
    if (!selected[position]) continue;
    const { webhook } = candidate.entry;
    const seen = seenVersion(candidate, request);
    const objects = await request.inVersion(seen.apiVersion);
    if (await conditionsMatch(webhook, request, seen, objects, { ...options, type: 'validating' }))
      calls.push({ webhook, seen });
  }
  const denials: unknown[] = [];
  await Promise.all(
    calls.map((call, index) =>
      ask(options, request, call, index).catch((error: unknown) => {
        denials.push(error);
      }),
    ),
  );
  if (denials.length > 0) throw denials[0];
}

/** Rejects with ApiError when the webhook denies the request, or failed and its failure policy is Fail. */
async function ask(
  options: WebhookPluginOptions,
  request: AdmissionRequest,
  { webhook, seen }: Call,
  index: number,
): Promise<void> {
  const { clock, metrics } = options;
  const { name, failsClosed } = webhook;
  const started = clock.monotonic();
  let failure: unknown;
  try {
    const objects = await request.inVersion(seen.apiVersion);
    const answer = await callWebhook({ webhook, request, seen, objects }, { ...options, mutates: false });
    if (!answer.allowed) failure = denial(name, answer);
  } catch (error) {
    failure = error;
  }
  const call = { webhook: name, failsClosed, operation: request.operation };
  observeCall(metrics, 'validating', call, (clock.monotonic() - started) / 1000, failure);
  if (failure === undefined) return;
  if (!(failure instanceof WebhookCallError)) throw failure;
  if (!failsClosed) {
    metrics.webhookFailedOpen.with(name, 'validating').add();
    request.annotate(`failed-open.validating.webhook.admission.k8s.io/round_0_index_${index}`, name);
    options.logFailure(failure.message);
  }
  await checkDeadline(request, clock);
  if (failsClosed) throw failedClosed(failure);
}
