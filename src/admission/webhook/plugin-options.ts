import type { RuleContext } from '../../model/rule-context.ts';
import type { WebhookMetrics } from '../../observability/metrics-admission.ts';
import type { Authorizer } from '../../request/attributes.ts';
import type { ProcessClock } from '../../time/clock.ts';
import type { AdmissionListers } from '../listers.ts';
import type { WebhookSet } from './webhook-set.ts';

export interface WebhookPluginOptions extends Pick<AdmissionListers, 'namespace'> {
  readonly set: WebhookSet;
  readonly authorizer: Authorizer;
  readonly has: RuleContext['has'];
  readonly clock: Pick<ProcessClock, 'monotonic' | 'after'>;
  /** Creates the uid of a review. */
  readonly uid: () => string;
  readonly metrics: WebhookMetrics;
  /** Whether a fault fails the call of a webhook; undefined where there are none. */
  readonly failsCall?: ((webhook: string) => boolean) | undefined;
  /** Logs the failure of a webhook that is ignored. */
  logFailure(message: string): void;
}
