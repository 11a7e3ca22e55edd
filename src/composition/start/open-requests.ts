import type { OptionSlice } from '../../options/flags/table.ts';
import { ProcessProfiler } from '../../profiling/profiler.ts';
import { LoopScheduler } from '../../request/scheduling/loop-scheduler.ts';
import { systemClock } from '../../time/clock.ts';
import { openAudit } from '../audit.ts';
import { createDebugEndpoints, profilingPaths } from '../debug-endpoints.ts';
import { openDebugSocket } from '../debug-socket.ts';
import { drainRequests, HOLDING_CLOCK } from '../drain.ts';
import { createRequestChain, type RequestChain } from '../request-chain.ts';
import { openTracing } from '../tracing.ts';
import type { Access } from './open-access.ts';
import type { Cluster } from './open-cluster.ts';
import type { Foundation } from './open-foundation.ts';
import type { StartContext } from './start-context.ts';

/** The options of this phase. */
type PhaseOptions = OptionSlice<
  'contentionProfiling' | 'debugSocketPath' | 'shutdownSendRetryAfter' | 'shutdownWatchTerminationGracePeriod'
>;

/** Time to export the remaining spans at shutdown. */
const TRACING_CLOSE_MILLISECONDS = 1000;

/** Opens the request chain: requests are served from here on. */
export async function openRequests(
  start: StartContext,
  { metrics, egress, storage, gate, listener, port }: Foundation,
  { registry, listers, serviceAccounts, identity }: Access,
  { health, outbound, customResources, aggregation }: Cluster,
): Promise<RequestChain> {
  const { configuration, admission, logger, parts, lifecycle } = start;
  const values: PhaseOptions = configuration.values;
  const audit = await parts.use(
    'audit',
    () => openAudit(configuration.values, egress, metrics, logger),
    (started) => started?.close(),
  );
  const profiler = await parts.use(
    'profiler',
    () => new ProcessProfiler(systemClock, values.contentionProfiling),
    (started) => started.stop(),
  );
  const debug = createDebugEndpoints({ configuration, profiler, verbosity: start.verbosity });
  const tracer = await parts.use(
    'tracing',
    () => openTracing(configuration, egress, logger),
    (started) => started?.close(TRACING_CLOSE_MILLISECONDS),
  );
  const loop = new LoopScheduler();
  const chain = await parts.use(
    'request chain',
    () =>
      createRequestChain({
        configuration,
        registry,
        listers,
        storage,
        metrics,
        logger,
        health,
        identity,
        serviceAccounts,
        admission,
        aggregation,
        customResources,
        outbound,
        port,
        debug,
        lifecycle,
        tracer,
        loop,
        auditor: audit?.auditor,
      }),
    (started) => started.stop(),
  );
  await parts.use(
    'debug socket',
    () =>
      values.debugSocketPath === ''
        ? undefined
        : openDebugSocket(values.debugSocketPath, profilingPaths(profiler, start.verbosity), chain.turns),
    (started) => started?.close(),
  );
  health.finish('chain');
  await parts.use(
    'serving',
    () => gate.open(chain.handle),
    async () => {
      lifecycle.rejecting = true;
      await drainRequests({
        listener,
        registry,
        watchGrace: values.shutdownWatchTerminationGracePeriod,
        keepsListening: values.shutdownSendRetryAfter,
        clock: HOLDING_CLOCK,
      });
    },
  );
  return chain;
}
