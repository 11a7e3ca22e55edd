import type { AuditBackend, ReportLoss } from '../audit/index.ts';
import { ConfigurationError } from '../errors/configuration-error.ts';
import type { Logger } from '../observability/log.ts';
import type { ServerMetrics } from '../observability/metrics-catalog.ts';
import type { AuditOptions } from '../options/flags/auditing.ts';
import type { Egress } from '../outbound/egress.ts';
import type { Auditor } from '../request/audit.ts';
import { processClock } from '../time/clock.ts';
import { pause } from '../time/pause.ts';

/** Maximum size of the log in megabytes if the flag is 0. */
const STANDARD_MEGABYTES = 100;
/** Batches that may be combined into one write of the log in batch mode. */
const LOG_WRITES = 256;
/** Concurrent calls of the webhook in batch mode. */
const WEBHOOK_CALLS = 16;
/** Default of both back-off flags in milliseconds. */
const STANDARD_BACKOFF = 10_000;
const WEBHOOK_BOUNDS = { timeout: 30_000, maximumBytes: 1 << 20 };
/** Bytes that may be queued for the reader of the standard output. */
const OUTPUT_BYTES = 16 << 20;

/** The audit of a server. */
export interface ServerAudit {
  readonly auditor: Auditor;
  /** Flushes the buffered events. */
  close(): Promise<void>;
}

/**
 * Opens the audit that the flags configure; undefined without a policy or a backend, in which case no code is
 * loaded.
 * @throws ConfigurationError
 */
export async function openAudit(
  values: AuditOptions,
  egress: Egress,
  metrics: ServerMetrics,
  logger: Logger,
): Promise<ServerAudit | undefined> {
  if (values.auditPolicyFile === '' || (values.auditLogPath === '' && values.auditWebhookConfigFile === ''))
    return undefined;
  const parts = await import('../audit/index.ts');
  const { readAuditPolicy } = await import('../options/documents/audit-policy.ts');
  const log = logger.child('audit');
  const report = parts.createLossReporter(log, (plugin) => metrics.auditErrors.with(plugin));
  const policy = parts.compilePolicy(readAuditPolicy(values.auditPolicyFile, (problem) => log.warn(problem)));
  const backends: AuditBackend[] = [];
  if (values.auditLogPath !== '') backends.push(openLog(parts, values, report, log));
  if (values.auditWebhookConfigFile !== '') backends.push(await openWebhook(parts, values, egress, report));
  const backend = parts.joinBackends(backends);
  const auditor = parts.createAuditor({
    policy,
    backend,
    events: metrics.auditEvents.with(),
    levels: (level) => metrics.auditLevels.with(level),
    rejections: metrics.auditRejections.with(),
    now: () => performance.timeOrigin + processClock.monotonic(),
  });
  return { auditor, close: () => backend.close() };
}

type Parts = typeof import('../audit/index.ts');

interface Mode {
  readonly mode: string;
  readonly bufferSize: number;
  readonly maximumSize: number;
  readonly maximumWait: number;
  readonly throttle: { readonly rate: number; readonly burst: number } | undefined;
  /** Concurrent writes in batch mode. */
  readonly concurrency: number;
  readonly truncate: { readonly maximumEventBytes: number; readonly maximumBatchBytes: number } | undefined;
}

/** Batch and truncation options of the `--audit-log-*` flags. */
function logMode(values: AuditOptions): Mode {
  return {
    mode: values.auditLogMode,
    bufferSize: values.auditLogBatchBufferSize,
    maximumSize: values.auditLogBatchMaxSize,
    maximumWait: values.auditLogBatchMaxWait,
    throttle: values.auditLogBatchThrottleEnable
      ? { rate: values.auditLogBatchThrottleQps, burst: values.auditLogBatchThrottleBurst }
      : undefined,
    concurrency: LOG_WRITES,
    truncate: values.auditLogTruncateEnabled
      ? {
          maximumEventBytes: values.auditLogTruncateMaxEventSize,
          maximumBatchBytes: values.auditLogTruncateMaxBatchSize,
        }
      : undefined,
  };
}

/** Batch and truncation options of the `--audit-webhook-*` flags. */
function webhookMode(values: AuditOptions): Mode {
  return {
    mode: values.auditWebhookMode,
    bufferSize: values.auditWebhookBatchBufferSize,
    maximumSize: values.auditWebhookBatchMaxSize,
    maximumWait: values.auditWebhookBatchMaxWait,
    throttle: values.auditWebhookBatchThrottleEnable
      ? { rate: values.auditWebhookBatchThrottleQps, burst: values.auditWebhookBatchThrottleBurst }
      : undefined,
    concurrency: WEBHOOK_CALLS,
    truncate: values.auditWebhookTruncateEnabled
      ? {
          maximumEventBytes: values.auditWebhookTruncateMaxEventSize,
          maximumBatchBytes: values.auditWebhookTruncateMaxBatchSize,
        }
      : undefined,
  };
}

/** Wraps a backend in its mode, and that in truncation. */
function withMode(
  parts: Parts,
  backend: AuditBackend,
  { mode, truncate, ...batch }: Mode,
  report: ReportLoss,
): AuditBackend {
  const moded =
    mode === 'batch'
      ? new parts.BatchingBackend(backend, batch, report)
      : mode === 'blocking'
        ? parts.ignoreBackendErrors(backend)
        : backend;
  return truncate === undefined ? moded : parts.truncateEvents(moded, truncate, report);
}

function openLog(parts: Parts, values: AuditOptions, report: ReportLoss, logger: Logger): AuditBackend {
  const sink =
    values.auditLogPath === '-'
      ? parts.streamSink(process.stdout, OUTPUT_BYTES)
      : openFile(parts, values, logger);
  const backend = parts.logBackend(sink, values.auditLogFormat === 'legacy' ? 'legacy' : 'json', report);
  // Lines are queued in event order and written together.
  return withMode(parts, backend, logMode(values), report);
}

/** The older flag applies if the newer one has its default. */
function initialBackoff({
  auditWebhookInitialBackoff,
  auditWebhookBatchInitialBackoff,
}: AuditOptions): number {
  return auditWebhookInitialBackoff === STANDARD_BACKOFF
    ? auditWebhookBatchInitialBackoff
    : auditWebhookInitialBackoff;
}

async function openWebhook(
  parts: Parts,
  values: AuditOptions,
  egress: Egress,
  report: ReportLoss,
): Promise<AuditBackend> {
  const { readClientConfig } = await import('../kubeconfig/read-kubeconfig.ts');
  const { OutboundClient } = await import('../outbound/outbound-client.ts');
  const { createHttpClient } = await import('../outbound/http-client.ts');
  let client: ReturnType<typeof createHttpClient>;
  try {
    client = createHttpClient(
      readClientConfig(values.auditWebhookConfigFile),
      WEBHOOK_BOUNDS,
      new OutboundClient({ egress }),
    );
  } catch (error) {
    throw new ConfigurationError(`initializing audit webhook: ${(error as Error).message}`);
  }
  const backend = parts.webhookBackend({
    post: (body) =>
      client.send({ method: 'POST', path: '', headers: { 'content-type': 'application/json' }, body }),
    initialBackoff: initialBackoff(values),
    report,
    random: Math.random,
    // Shutdown does not wait for the next retry.
    wait: (milliseconds, signal) => pause(milliseconds, processClock, signal),
    release: () => client.close(),
  });
  return withMode(parts, backend, webhookMode(values), report);
}

function openFile(parts: Parts, values: AuditOptions, logger: Logger) {
  try {
    return new parts.LogFile({
      path: values.auditLogPath,
      maximumBytes: (values.auditLogMaxsize || STANDARD_MEGABYTES) * 1024 * 1024,
      maximumAge: values.auditLogMaxage,
      maximumBackups: values.auditLogMaxbackup,
      compress: values.auditLogCompress,
      now: processClock.now,
      onPruneFailure: (error) => logger.error('failed to remove rotated audit logs', { err: error.message }),
    });
  } catch (error) {
    throw new ConfigurationError(`ensureLogFile: ${(error as Error).message}`);
  }
}
