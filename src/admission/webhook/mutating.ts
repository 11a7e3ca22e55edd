import { DecodeError } from '../../codec/decode-error.ts';
import { writePlain } from '../../codec/json-plain.ts';
import { quote } from '../../errors/quote.ts';
import type { Life } from '../../model/life.ts';
import { apiVersionOf } from '../../model/object.ts';
import type { AdmissionPlugin, AdmissionRequest } from '../../request/admission.ts';
import { errors } from '../../status/errors.ts';
import type { MatchedVersion } from '../expressions/request-object.ts';
import { type Candidate, matchedVersion } from '../matching/match-index.ts';
import { RequestLabels } from '../matching/selectors.ts';
import { objectText, type Reinvocations, reinvocationsByRequest } from '../reinvocations.ts';
import { callWebhook } from './call.ts';
import { denial, failedClosed, WebhookCallError } from './failures.ts';
import { checkDeadline, observeCall } from './outcome.ts';
import {
  applyPatch,
  checkType,
  type Operations,
  PatchError,
  parsePatch,
  UnsuitableTypeError,
} from './patch.ts';
import type { WebhookPluginOptions } from './plugin-options.ts';
import { JSON_PATCH, type ReviewAnswer, writeWire } from './review.ts';
import { conditionsMatch, seenVersion, selectorsMatch } from './should-call.ts';
import { webhookPlugin } from './webhook-plugin.ts';
import type { WebhookEntry } from './webhook-set.ts';

/** Asks mutating webhooks one after the other; each sees what the previous ones changed. */
export function mutatingWebhooks(options: WebhookPluginOptions): AdmissionPlugin {
  const { set, namespace } = options;
  const reinvocationsOf = reinvocationsByRequest();
  return webhookPlugin('MutatingAdmissionWebhook', set, {
    admit(request) {
      const candidates = set.index
        .candidates(request)
        .filter((candidate) => matchedVersion(candidate, request.name) !== undefined);
      if (candidates.length === 0) return;
      const labels = new RequestLabels(request, namespace);
      // Nearly all requests match no selector: they need no promise.
      for (const [position, candidate] of candidates.entries()) {
        const matches = selectorsMatch(candidate, labels);
        if (matches === false) continue;
        // It is asked again below, where its failure is reported.
        if (matches instanceof Promise) matches.catch(() => undefined);
        const dispatch = new MutatingDispatch(options, request, labels, reinvocationsOf(request));
        return dispatch.run(candidates.slice(position));
      }
    },
  });
}

/** The releases in which the failure policy decides about a patch that cannot be parsed. */
const REPORTS_CALL: Life = { since: '1.34' };

/** One round of mutating webhooks. */
class MutatingDispatch {
  constructor(
    private readonly options: WebhookPluginOptions,
    private readonly request: AdmissionRequest,
    private readonly labels: RequestLabels,
    private readonly reinvocations: Reinvocations,
  ) {}

  async run(candidates: readonly Candidate<WebhookEntry>[]): Promise<void> {
    const { request, reinvocations } = this;
    const isSecond = request.rounds.round === 1;
    // Built-in plugins changed the object: all webhooks that may run again do.
    if (isSecond && reinvocations.areWaiting && reinvocations.output !== (await objectText(request)))
      reinvocations.require();
    for (const candidate of candidates) {
      if (!(await selectorsMatch(candidate, this.labels))) continue;
      const { webhook } = candidate.entry;
      const seen = seenVersion(candidate, request);
      const objects = await request.inVersion(seen.apiVersion);
      if (!(await conditionsMatch(webhook, request, seen, objects, { ...this.options, type: 'admit' })))
        continue;
      // A webhook that was not asked in the first round is not asked in the second.
      if (isSecond && !reinvocations.isRequired(webhook.uid)) continue;
      await this.#ask(candidate.entry, seen);
    }
    if (!isSecond && reinvocations.areWaiting && request.rounds.needsSecond)
      reinvocations.output = await objectText(request);
  }

  async #ask({ webhook, index }: WebhookEntry, seen: MatchedVersion): Promise<void> {
    const { request, reinvocations, options } = this;
    const { clock, metrics } = options;
    const started = clock.monotonic();
    const place = `round_${request.rounds.round}_index_${index}`;
    const { name, configuration } = webhook;
    let changed = false;
    let failure: unknown;
    try {
      changed = await this.#call({ webhook, index }, seen, place);
    } catch (error) {
      failure = error;
      changed = error instanceof UnsuitableTypeError;
    }
    const value = { configuration, webhook: name, mutated: changed };
    request.annotate(`mutation.webhook.admission.k8s.io/${place}`, JSON.stringify(value));
    const call = { webhook: name, failsClosed: webhook.failsClosed, operation: request.operation };
    observeCall(metrics, 'admit', call, (clock.monotonic() - started) / 1000, failure);
    if (changed) {
      reinvocations.require();
      request.rounds.needsSecond = true;
    }
    if (webhook.isReinvoked) reinvocations.ran(webhook.uid);
    if (failure === undefined) return;
    if (!(failure instanceof WebhookCallError)) throw failure;
    if (!webhook.failsClosed) {
      metrics.webhookFailedOpen.with(name, 'admit').add();
      request.annotate(`failed-open.mutation.webhook.admission.k8s.io/${place}`, name);
      options.logFailure(failure.message);
    }
    await checkDeadline(request, clock);
    if (webhook.failsClosed) throw failedClosed(failure);
  }

  /** Asks a webhook and applies its patch. @returns whether the object changed */
  async #call({ webhook }: WebhookEntry, seen: MatchedVersion, place: string): Promise<boolean> {
    const { request, options } = this;
    const apiVersion = apiVersionOf(seen.kind.group, seen.kind.version);
    const objects = await request.inVersion(apiVersion);
    const answer = await callWebhook({ webhook, request, seen, objects }, { ...options, mutates: true });
    if (!answer.allowed) throw denial(webhook.name, answer);
    if (answer.patch === '') return false;
    try {
      const operations = await this.#operationsOf(webhook.name, answer.patch);
      if (operations.length === 0) return false;
      checkPatchType(webhook.name, answer);
      if (objects.object === undefined)
        throw new PatchError(
          `admission webhook ${quote(webhook.name)} attempted to modify the object, which is not supported for this operation`,
        );
      const patched = applyPatch(objects.object.plain(), operations, options);
      checkType(patched, seen.kind);
      const changed = await request.replace(apiVersion, patched);
      this.#annotatePatch(webhook.configuration, webhook.name, place, operations);
      return changed;
    } catch (error) {
      if (error instanceof PatchError || error instanceof DecodeError) throw errors.internal(error.message);
      throw error;
    }
  }

  /** Parses a patch. One that cannot be parsed is, by the release, a failed call or an error of the request. */
  async #operationsOf(webhook: string, patch: string): Promise<Operations> {
    try {
      return await parsePatch(this.request.turns, patch);
    } catch (error) {
      if (!(error instanceof PatchError && this.options.has(REPORTS_CALL))) throw error;
      const reason = `received undecodable patch in webhook response: ${error.message}`;
      throw new WebhookCallError(webhook, reason, 503);
    }
  }

  #annotatePatch(configuration: string, webhook: string, place: string, patch: Operations): void {
    const value =
      `{"configuration":${JSON.stringify(configuration)},"webhook":${JSON.stringify(webhook)},` +
      `"patch":[${patch.map(operationText).join(',')}],"patchType":"${JSON_PATCH}"}`;
    this.request.annotate(`patch.webhook.admission.k8s.io/${place}`, value, 'Request');
  }
}

/** Writes an operation with sorted members; its value is written as it was sent. */
function operationText(operation: unknown): string {
  const { value, ...members } = operation as Readonly<Record<string, unknown>>;
  const text = writePlain(members);
  return value === undefined ? text : `${text.slice(0, -1)},"value":${writeWire(value)}}`;
}

function checkPatchType(webhook: string, { patchType }: ReviewAnswer): void {
  if (patchType !== JSON_PATCH)
    throw new WebhookCallError(webhook, `unsupported patch type ${quote(patchType)}`, 400);
}
