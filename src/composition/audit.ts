import { setTimeout } from 'node:timers/promises';
import type { AuditBackend, ReportLoss } from '../audit/index.ts';
import { ConfigurationError } from '../errors/configuration-error.ts';
import { readClientConfig } from '../kubeconfig/read-kubeconfig.ts';
import type { Logger } from '../observability/log.ts';
import type { ServerMetrics } from '../observability/metrics-catalog.ts';
import { readAuditPolicy } from '../options/documents/audit-policy.ts';
import type { FlagValues } from '../options/flags/table.ts';
import type { Auditor } from '../request/audit.ts';

/** Megabytes at which the log is rotated when the flag says 0. */
const STANDARD_MEGABYTES = 100;
/** Batches that may wait for one write of the log in batch mode. */
const LOG_WRITES = 256;
/** Calls of the webhook at once in batch mode. */
const WEBHOOK_CALLS = 16;
/** Default of both flags for it. */
const STANDARD_BACKOFF = 10_000;
const WEBHOOK_BOUNDS = { timeout: 30_000, maximumBytes: 1 << 20 };
/** Bytes that may wait for the reader of the standard output. */
const OUTPUT_BYTES = 16 << 20;

/** The audit of a server. */
export interface ServerAudit {
  readonly auditor: Auditor;
  /** Writes what is still to be written. */
  close(): Promise<void>;
}

/**
 * The audit that the flags ask for; undefined without a policy or a place to keep events. Its code is loaded
 * only then.
 * @throws ConfigurationError
 */
export async function openAudit(
  values: FlagValues,
  metrics: ServerMetrics,
  logger: Logger,
): Promise<ServerAudit | undefined> {
  if (values.auditPolicyFile === '' || (values.auditLogPath === '' && values.auditWebhookConfigFile === ''))
    return undefined;
  const parts = await import('../audit/index.ts');
  const log = logger.child('audit');
  const report = parts.createLossReporter(log, (plugin) => metrics.auditErrors.with(plugin));
  const policy = parts.compilePolicy(readAuditPolicy(values.auditPolicyFile, (problem) => log.warn(problem)));
  const backends: AuditBackend[] = [];
  if (values.auditLogPath !== '') backends.push(openLog(parts, values, report, log));
  if (values.auditWebhookConfigFile !== '') backends.push(await openWebhook(parts, values, report));
  const backend = parts.joinBackends(backends);
  const auditor = parts.createAuditor({
    policy,
    backend,
    events: metrics.auditEvents.with(),
    levels: (level) => metrics.auditLevels.with(level),
    rejections: metrics.auditRejections.with(),
    now: () => performance.timeOrigin + performance.now(),
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
  /** Writes at a time in batch mode. */
  readonly concurrency: number;
  readonly truncate: { readonly maximumEventBytes: number; readonly maximumBatchBytes: number } | undefined;
}

/** What the `--audit-log-*` flags say about batches and truncation. */
function logMode(values: FlagValues): Mode {
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

/** What the `--audit-webhook-*` flags say about batches and truncation. */
function webhookMode(values: FlagValues): Mode {
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

/** The mode of a backend around it, then truncation around that. */
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

function openLog(parts: Parts, values: FlagValues, report: ReportLoss, logger: Logger): AuditBackend {
  const sink =
    values.auditLogPath === '-'
      ? parts.streamSink(process.stdout, OUTPUT_BYTES)
      : openFile(parts, values, logger);
  const backend = parts.logBackend(sink, values.auditLogFormat === 'legacy' ? 'legacy' : 'json', report);
  // Lines are queued in the order of the events; what waits is written together.
  return withMode(parts, backend, logMode(values), report);
}

/** The older flag counts where the newer one was left alone. */
function initialBackoff({ auditWebhookInitialBackoff, auditWebhookBatchInitialBackoff }: FlagValues): number {
  return auditWebhookInitialBackoff === STANDARD_BACKOFF
    ? auditWebhookBatchInitialBackoff
    : auditWebhookInitialBackoff;
}

async function openWebhook(parts: Parts, values: FlagValues, report: ReportLoss): Promise<AuditBackend> {
  const { createHttpClient } = await import('../outbound/http-client.ts');
  let client: ReturnType<typeof createHttpClient>;
  try {
    client = createHttpClient(readClientConfig(values.auditWebhookConfigFile), WEBHOOK_BOUNDS);
  } catch (error) {
    throw new ConfigurationError(`initializing audit webhook: ${(error as Error).message}`);
  }
  const backend = parts.webhookBackend({
    post: (body) =>
      client.send({ method: 'POST', path: '', headers: { 'content-type': 'application/json' }, body }),
    initialBackoff: initialBackoff(values),
    report,
    random: Math.random,
    // Whoever stops the server does not wait for the next try.
    wait: (milliseconds, signal) =>
      setTimeout(milliseconds, undefined, { signal, ref: false }).catch(() => undefined),
    release: () => client.close(),
  });
  return withMode(parts, backend, webhookMode(values), report);
}

function openFile(parts: Parts, values: FlagValues, logger: Logger) {
  try {
    return new parts.LogFile({
      path: values.auditLogPath,
      maximumBytes: (values.auditLogMaxsize || STANDARD_MEGABYTES) * 1024 * 1024,
      maximumAge: values.auditLogMaxage,
      maximumBackups: values.auditLogMaxbackup,
      compress: values.auditLogCompress,
      now: Date.now,
      onPruneFailure: (error) =>
        logger.error('rotated audit logs could not be tidied up', { err: error.message }),
    });
  } catch (error) {
    throw new ConfigurationError(`ensureLogFile: ${(error as Error).message}`);
  }
}
