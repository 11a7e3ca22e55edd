import type { Logger } from '../observability/log.ts';
import type { Counter } from '../observability/metric-cells.ts';
import type { MaybePromise } from '../steps/steps.ts';
import { processClock } from '../time/clock.ts';
import type { AuditEvent } from './event.ts';

/** Writes audit events to a destination. */
export interface AuditBackend {
  /** Returns whether the events were accepted. The backend counts and logs its failures. */
  process(events: readonly AuditEvent[]): MaybePromise<boolean>;
  /** Resolves when all accepted events are written or lost. */
  close(): Promise<void>;
}

/** Counts and logs lost events. */
export type ReportLoss = (plugin: string, reason: string, count: number) => void;

/** Minimum interval between log lines about lost events. */
const QUIET_MILLISECONDS = 10_000;

/**
 * Counts lost events and logs their number, immediately for the first loss and then at most every ten
 * seconds.
 */
export function createLossReporter(
  logger: Logger,
  errors: (plugin: string) => Counter,
  now: () => number = processClock.monotonic,
): ReportLoss {
  const lost = new Map<string, { count: number; loggedAt: number }>();
  return (plugin, reason, count) => {
    errors(plugin).add(count);
    const state = lost.get(plugin) ?? { count: 0, loggedAt: Number.NEGATIVE_INFINITY };
    lost.set(plugin, state);
    state.count += count;
    if (now() - state.loggedAt < QUIET_MILLISECONDS) return;
    logger.error('lost audit events', { plugin, events: state.count, err: reason });
    state.count = 0;
    state.loggedAt = now();
  };
}

/** Combines backends: each receives every event. */
export function joinBackends(backends: readonly AuditBackend[]): AuditBackend {
  if (backends.length === 1) return backends[0]!;
  return {
    process(events) {
      const results = backends.map((backend) => backend.process(events));
      return results.some((result) => result instanceof Promise)
        ? Promise.all(results).then((accepted) => accepted.every(Boolean))
        : results.every(Boolean);
    },
    async close() {
      await Promise.all(backends.map((backend) => backend.close()));
    },
  };
}

/** Mode `blocking`: a request waits for its events and continues when they are lost. */
export function ignoreBackendErrors(backend: AuditBackend): AuditBackend {
  return {
    process(events) {
      const result = backend.process(events);
      return result instanceof Promise ? result.then(() => true) : true;
    },
    close: () => backend.close(),
  };
}
