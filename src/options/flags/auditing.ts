import { bool, duration, float, integer, type OptionsOf, text } from './flag.ts';

export const AUDITING = {
  auditLogBatchBufferSize: integer(10_000, 'Maximum number of buffered events (batch mode).'),
  auditLogBatchMaxSize: integer(1, 'Maximum number of events in a batch (batch mode).'),
  auditLogBatchMaxWait: duration('0', 'Maximum time before a partial batch is written (batch mode).'),
  auditLogBatchThrottleBurst: integer(0, 'Maximum burst of batches (batch mode).'),
  auditLogBatchThrottleEnable: bool(false, 'Limit the rate of batches (batch mode).'),
  auditLogBatchThrottleQps: float(0, 'Average number of batches per second (batch mode).'),
  auditLogCompress: bool(false, 'Compress rotated files with gzip.'),
  auditLogFormat: text('json', 'Format of the audit log: json, or legacy for one line of text per event.'),
  auditLogMaxage: integer(0, 'Days to keep rotated files; 0 means no limit.'),
  auditLogMaxbackup: integer(0, 'Rotated files to keep; 0 means no limit.'),
  auditLogMaxsize: integer(0, 'Megabytes at which the file is rotated; 0 means 100.'),
  auditLogMode: text(
    'blocking',
    'When an event is written: blocking (before the response), blocking-strict (the request fails if the event cannot be written) or batch.',
  ),
  auditLogPath: text('', 'File for audit events; - is the standard output. Needs --audit-policy-file.'),
  auditLogTruncateEnabled: bool(false, 'Truncate large events and batches.'),
  auditLogTruncateMaxBatchSize: integer(10_485_760, 'Bytes above which a batch is split.'),
  auditLogTruncateMaxEventSize: integer(
    102_400,
    'Bytes above which an event loses its request and response bodies, or is dropped.',
  ),
  auditLogVersion: text('audit.k8s.io/v1', 'API version of the events in the log.'),
  auditPolicyFile: text('', 'Audit policy: which requests are recorded, and at which level.'),
  auditWebhookBatchBufferSize: integer(10_000, 'Maximum number of buffered events (batch mode).'),
  auditWebhookBatchInitialBackoff: duration('10s', 'Time before the first retry of a failed call.', {
    deprecated: 'Deprecated, use --audit-webhook-initial-backoff instead.',
  }),
  auditWebhookBatchMaxSize: integer(400, 'Maximum number of events in a batch (batch mode).'),
  auditWebhookBatchMaxWait: duration('30s', 'Maximum time before a partial batch is sent (batch mode).'),
  auditWebhookBatchThrottleBurst: integer(15, 'Maximum burst of batches (batch mode).'),
  auditWebhookBatchThrottleEnable: bool(true, 'Limit the rate of batches (batch mode).'),
  auditWebhookBatchThrottleQps: float(10, 'Average number of batches per second (batch mode).'),
  auditWebhookConfigFile: text('', 'Kubeconfig of the webhook for audit events.'),
  auditWebhookInitialBackoff: duration('10s', 'Time before the first retry of a failed call.'),
  auditWebhookMode: text('batch', 'When an event is sent: batch, blocking or blocking-strict.'),
  auditWebhookTruncateEnabled: bool(false, 'Truncate large events and batches.'),
  auditWebhookTruncateMaxBatchSize: integer(10_485_760, 'Bytes above which a batch is split.'),
  auditWebhookTruncateMaxEventSize: integer(
    102_400,
    'Bytes above which an event loses its request and response bodies, or is dropped.',
  ),
  auditWebhookVersion: text('audit.k8s.io/v1', 'API version of the events.'),
};

export type AuditOptions = OptionsOf<typeof AUDITING>;
