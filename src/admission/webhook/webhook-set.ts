import { BinnacleError } from '../../errors/binnacle-error.ts';
import type {
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
} from '../../model/generated/admissionregistration-v1.ts';
import {
  type WebhookTarget,
  type WebhookTargetOptions,
  webhookTarget,
} from '../../outbound/webhook-target.ts';
import type { ConfigurationLister, EquivalentResources } from '../listers.ts';
import { MatchIndex } from '../matching/match-index.ts';
import type { IsExempt } from '../matching/rules.ts';
import { type CompiledWebhook, compileWebhook } from './compiled-webhook.ts';

/** How webhooks are reached. */
export type WebhookClientOptions = Pick<
  WebhookTargetOptions,
  'client' | 'resolve' | 'userAgent' | 'credentials'
>;

/** A webhook at its place among all webhooks of its type. */
export interface WebhookEntry {
  readonly webhook: CompiledWebhook;
  /** Position among the webhooks of all configurations, which are in the order of their names. */
  readonly index: number;
}

/** The reason why a webhook cannot be called at all, for example an invalid URL. */
export class WebhookClientError extends BinnacleError {
  override name = 'WebhookClientError';
  readonly code = 'ERR_BINNACLE_WEBHOOK_CLIENT';
}

type Configuration = MutatingWebhookConfiguration | ValidatingWebhookConfiguration;

/**
 * The webhooks of all stored configurations of a type. It follows the cache of configurations: the first
 * request after a change prepares what changed, nothing is read per request.
 */
export class WebhookSet {
  readonly #lister: ConfigurationLister;
  readonly #equivalents: EquivalentResources;
  readonly #client: WebhookClientOptions;
  readonly #isExempt: IsExempt;
  #generation = -1;
  #index: MatchIndex<WebhookEntry>;
  /** Prepared webhooks by configuration. */
  #compiled = new Map<
    string,
    { readonly resourceVersion: string | undefined; readonly webhooks: readonly CompiledWebhook[] }
  >();
  /** Connections by client configuration. */
  readonly #targets = new Map<string, WebhookTarget>();

  /** @param isExempt which resources no webhook sees */
  constructor(
    lister: ConfigurationLister,
    equivalents: EquivalentResources,
    client: WebhookClientOptions,
    isExempt: IsExempt,
  ) {
    this.#isExempt = isExempt;
    this.#lister = lister;
    this.#equivalents = equivalents;
    this.#client = client;
    this.#index = new MatchIndex<WebhookEntry>(
      [],
      ({ webhook }) => webhook.match,
      equivalents,
      this.#isExempt,
    );
  }

  /** Changes with the stored configurations and with the set of served resources. */
  get generation(): number {
    return this.#lister.generation + this.#equivalents.generation;
  }

  /** The webhooks by what their rules match. */
  get index(): MatchIndex<WebhookEntry> {
    if (this.#generation !== this.generation) this.#refresh();
    return this.#index;
  }

  /**
   * How a webhook is called. Webhooks with equal client configurations share connections.
   * @throws WebhookClientError
   */
  target({ clientConfig, clientKey }: CompiledWebhook): WebhookTarget {
    let target = this.#targets.get(clientKey);
    if (target === undefined) {
      try {
        target = webhookTarget(clientConfig, this.#client);
      } catch (error) {
        throw new WebhookClientError((error as Error).message);
      }
      this.#targets.set(clientKey, target);
    }
    return target;
  }

  /** Closes all connections. */
  close(): void {
    for (const { target } of this.#targets.values()) target.close();
    this.#targets.clear();
  }

  #refresh(): void {
    this.#generation = this.generation;
    const before = this.#compiled;
    this.#compiled = new Map();
    const entries: WebhookEntry[] = [];
    const used = new Set<string>();
    for (const object of this.#lister.list()) {
      const { metadata, webhooks = [] } = object as Configuration;
      const { name = '', resourceVersion } = metadata ?? {};
      const known = before.get(name);
      const compiled =
        known !== undefined && known.resourceVersion === resourceVersion
          ? known
          : {
              resourceVersion,
              webhooks: webhooks.map((webhook, position) => compileWebhook(name, position, webhook)),
            };
      this.#compiled.set(name, compiled);
      for (const webhook of compiled.webhooks) {
        entries.push({ webhook, index: entries.length });
        used.add(webhook.clientKey);
      }
    }
    this.#index = new MatchIndex<WebhookEntry>(
      entries,
      ({ webhook }) => webhook.match,
      this.#equivalents,
      this.#isExempt,
    );
    for (const [key, { target }] of this.#targets) {
      if (used.has(key)) continue;
      target.retire();
      this.#targets.delete(key);
    }
  }
}
