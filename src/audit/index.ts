import type { Counter } from '../observability/metric-cells.ts';
import type { Auditor } from '../request/audit.ts';
import type { AuditBackend } from './backend.ts';
import type { AuditPolicy } from './policy.ts';
import { type EmitEvent, RequestRecord } from './record.ts';

export {
  type AuditBackend,
  createLossReporter,
  ignoreBackendErrors,
  joinBackends,
  type ReportLoss,
} from './backend.ts';
export { BatchingBackend } from './batch.ts';
export { logBackend, streamSink } from './log-backend.ts';
export { LogFile } from './log-file.ts';
export { compilePolicy } from './policy.ts';
export { truncateEvents } from './truncate.ts';
export { webhookBackend } from './webhook.ts';

export interface AuditorOptions {
  readonly policy: AuditPolicy;
  readonly backend: AuditBackend;
  readonly events: Counter;
  /** Counter of requests by audit level. */
  readonly levels: (level: string) => Counter;
  readonly rejections: Counter;
  /** Wall clock in milliseconds, with a fraction. */
  readonly now: () => number;
}

/** Creates an auditor that applies a policy and sends events to a backend. */
export function createAuditor({ policy, backend, events, levels, rejections, now }: AuditorOptions): Auditor {
  const emit: EmitEvent = (event) => {
    events.add();
    return backend.process([event]);
  };
  return {
    begin(subject) {
      const decision = policy(subject.attributes);
      levels(decision.level).add();
      return decision.level === 'None' ? undefined : new RequestRecord(subject, decision, emit, now);
    },
    countRejection: () => rejections.add(),
  };
}
