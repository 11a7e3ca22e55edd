import type { AuditOptions } from '../flags/auditing.ts';

const MODES = ['batch', 'blocking', 'blocking-strict'];
const FORMATS = ['legacy', 'json'];
const VERSIONS = ['audit.k8s.io/v1'];

interface Backend {
  readonly mode: string;
  readonly version: string;
  readonly bufferSize: number;
  readonly batchSize: number;
  readonly throttled: boolean;
  readonly rate: number;
  readonly burst: number;
  readonly truncated: boolean;
  readonly eventSize: number;
  readonly batchBytes: number;
}

/** Validates the audit flags; backends without a target are skipped. */
export function validateAudit(values: AuditOptions): string[] {
  const problems: string[] = [];
  if (values.auditLogPath !== '') {
    problems.push(
      ...validateBackend('log', {
        mode: values.auditLogMode,
        version: values.auditLogVersion,
        bufferSize: values.auditLogBatchBufferSize,
        batchSize: values.auditLogBatchMaxSize,
        throttled: values.auditLogBatchThrottleEnable,
        rate: values.auditLogBatchThrottleQps,
        burst: values.auditLogBatchThrottleBurst,
        truncated: values.auditLogTruncateEnabled,
        eventSize: values.auditLogTruncateMaxEventSize,
        batchBytes: values.auditLogTruncateMaxBatchSize,
      }),
    );
    if (!FORMATS.includes(values.auditLogFormat))
      problems.push(
        `invalid audit log format ${values.auditLogFormat}, allowed formats are "${FORMATS.join(',')}"`,
      );
    for (const [name, value] of [
      ['maxage', values.auditLogMaxage],
      ['maxbackup', values.auditLogMaxbackup],
      ['maxsize', values.auditLogMaxsize],
    ] as const) {
      if (value < 0) problems.push(`--audit-log-${name} ${value} can't be a negative number`);
    }
  }
  if (values.auditWebhookConfigFile !== '') {
    problems.push(
      ...validateBackend('webhook', {
        mode: values.auditWebhookMode,
        version: values.auditWebhookVersion,
        bufferSize: values.auditWebhookBatchBufferSize,
        batchSize: values.auditWebhookBatchMaxSize,
        throttled: values.auditWebhookBatchThrottleEnable,
        rate: values.auditWebhookBatchThrottleQps,
        burst: values.auditWebhookBatchThrottleBurst,
        truncated: values.auditWebhookTruncateEnabled,
        eventSize: values.auditWebhookTruncateMaxEventSize,
        batchBytes: values.auditWebhookTruncateMaxBatchSize,
      }),
    );
  }
  return problems;
}

function validateBackend(name: 'log' | 'webhook', backend: Backend): string[] {
  const problems: string[] = [];
  const positive = (what: string, value: number) => {
    if (value <= 0) problems.push(`invalid audit batch ${name} ${what} ${value}, must be a positive number`);
  };
  if (!MODES.includes(backend.mode))
    problems.push(`invalid audit ${name} mode ${backend.mode}, allowed modes are "${MODES.join(',')}"`);
  if (backend.mode === 'batch') {
    positive('buffer size', backend.bufferSize);
    positive('max batch size', backend.batchSize);
    if (backend.throttled) positive('throttle QPS', backend.rate);
    if (backend.throttled) positive('throttle burst', backend.burst);
  }
  if (backend.truncated && backend.eventSize <= 0)
    problems.push(
      `invalid audit truncate ${name} max event size ${backend.eventSize}, must be a positive number`,
    );
  else if (backend.truncated && backend.batchBytes < backend.eventSize) {
    problems.push(
      `invalid audit truncate ${name} max batch size ${backend.batchBytes}, must be greater than max event size (${backend.eventSize})`,
    );
  }
  if (!VERSIONS.includes(backend.version))
    problems.push(`invalid group version, allowed versions are ["${VERSIONS.join('" "')}"]`);
  return problems;
}
