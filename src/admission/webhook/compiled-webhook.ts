import type {
  MatchCondition,
  MutatingWebhook,
  ValidatingWebhook,
  WebhookClientConfig,
} from '../../model/generated/admissionregistration-v1.ts';
import type { LabelSelector } from '../../model/label-selector.ts';
import type { MatchRules } from '../matching/match-index.ts';
import { compileSelector } from '../matching/selectors.ts';

/** Versions of AdmissionReview that this server can send. */
export const REVIEW_VERSIONS = ['v1', 'v1beta1'] as const;
export type ReviewVersion = (typeof REVIEW_VERSIONS)[number];

/** The type of webhooks in metrics. */
export type WebhookType = 'admit' | 'validating';

/** A webhook of a stored configuration, prepared for requests. Immutable. */
export interface CompiledWebhook {
  readonly name: string;
  readonly configuration: string;
  /** Identifies the webhook among all of its type. */
  readonly uid: string;
  readonly match: MatchRules;
  readonly namespaces: LabelSelector;
  readonly objects: LabelSelector;
  readonly failsClosed: boolean;
  /** Milliseconds. */
  readonly timeout: number;
  /** Whether a review has no side effects, or none if it is a dry run. */
  readonly hasNoSideEffects: (dryRun: boolean) => boolean;
  readonly isReinvoked: boolean;
  /** Undefined if the configuration names no version that this server knows. */
  readonly reviewVersion: ReviewVersion | undefined;
  readonly clientConfig: WebhookClientConfig;
  /** Equal for webhooks with equal client configurations. */
  readonly clientKey: string;
  readonly matchConditions: readonly MatchCondition[];
}

/** The time of a webhook whose configuration has none; stored configurations always do. */
const DEFAULT_TIMEOUT = 10_000;

/** Prepares the webhook at a position of a configuration. */
export function compileWebhook(
  configuration: string,
  position: number,
  webhook: ValidatingWebhook & Partial<MutatingWebhook>,
): CompiledWebhook {
  const { name = '', timeoutSeconds, sideEffects, matchConditions = [] } = webhook;
  const clientConfig = webhook.clientConfig ?? {};
  return {
    name,
    configuration,
    uid: `${configuration}/${name}/${position}`,
    match: { rules: webhook.rules ?? [], isExact: webhook.matchPolicy === 'Exact' },
    namespaces: compileSelector(webhook.namespaceSelector),
    objects: compileSelector(webhook.objectSelector),
    failsClosed: webhook.failurePolicy !== 'Ignore',
    timeout: timeoutSeconds === undefined ? DEFAULT_TIMEOUT : timeoutSeconds * 1000,
    hasNoSideEffects: (dryRun) => sideEffects === 'None' || (dryRun && sideEffects === 'NoneOnDryRun'),
    isReinvoked: webhook.reinvocationPolicy === 'IfNeeded',
    reviewVersion: webhook.admissionReviewVersions?.find((version): version is ReviewVersion =>
      (REVIEW_VERSIONS as readonly string[]).includes(version),
    ),
    clientConfig,
    clientKey: JSON.stringify(clientConfig),
    matchConditions,
  };
}
