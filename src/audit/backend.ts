import type { Logger } from '../observability/log.ts';
import type { Counter } from '../observability/metrics.ts';
import type { MaybePromise } from '../request/context.ts';
import type { AuditEvent } from './event.ts';

/** Takes events to where they are kept. */
export interface AuditBackend {
  /** Whether the events were taken. A failure has been counted and logged by whom it happened to. */
  process(events: readonly AuditEvent[]): MaybePromise<boolean>;
  /** Resolves when everything taken has been written, or given up. */
  close(): Promise<void>;
}

/** Counts and logs events that were lost. */
export type ReportLoss = (plugin: string, reason: string, count: number) => void;

/** Between two lines of the log about lost events. */
const QUIET_MILLISECONDS = 10_000;

/**
 * Says in the log that events are lost, once at first and then at most every ten seconds, with their number.
 */
export function createLossReporter(
  logger: Logger,
  errors: (plugin: string) => Counter,
  now: () => number = () => performance.now(),
): ReportLoss {
  const lost = new Map<string, { count: number; said: number }>();
  return (plugin, reason, count) => {
    errors(plugin).add(count);
    const state = lost.get(plugin) ?? { count: 0, said: Number.NEGATIVE_INFINITY };
    lost.set(plugin, state);
    state.count += count;
    if (now() - state.said < QUIET_MILLISECONDS) return;
    logger.error('audit events are lost', { plugin, events: state.count, err: reason });
    state.count = 0;
    state.said = now();
  };
}

/** Several backends as one: each gets every event. */
export function joinBackends(backends: readonly AuditBackend[]): AuditBackend {
  if (backends.length === 1) return backends[0]!;
  return {
    process(events) {
      const results = backends.map((backend) => backend.process(events));
      return results.some((result) => result instanceof Promise)
        ? Promise.all(results).then((taken) => taken.every(Boolean))
        : results.every(Boolean);
    },
    async close() {
      await Promise.all(backends.map((backend) => backend.close()));
    },
  };
}

/** Mode `blocking`: a request waits for its events, and goes on where they are lost. */
export function ignoreBackendErrors(backend: AuditBackend): AuditBackend {
  return {
    process(events) {
      const result = backend.process(events);
      return result instanceof Promise ? result.then(() => true) : true;
    },
    close: () => backend.close(),
  };
}
