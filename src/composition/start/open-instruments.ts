import type { OptionSlice } from '../../options/flags/table.ts';
import { ProcessProfiler } from '../../profiling/profiler.ts';
import { LoopScheduler } from '../../steps/loop-scheduler.ts';
import { processClock } from '../../time/clock.ts';
import { openAudit } from '../audit.ts';
import { createDebugEndpoints, profilingPaths } from '../debug-endpoints.ts';
import { openDebugSocket } from '../debug-socket.ts';
import { watchHeap } from '../heap-watch.ts';
import { serverIdentity } from '../open-storage.ts';
import { openTracing } from '../tracing.ts';
import type { Foundation } from './open-foundation.ts';
import type { StartContext } from './start-context.ts';

/** The options of this phase. */
type PhaseOptions = OptionSlice<'contentionProfiling' | 'debugSocketPath'>;

/** Time to export the remaining spans at shutdown. */
const TRACING_CLOSE_MILLISECONDS = 1000;

/** What the second phase started. */
export type Instruments = Awaited<ReturnType<typeof openInstruments>>;

/** Opens what belongs to the process and has no state of the store: audit, profiles, traces, the event loop. */
export async function openInstruments(
  { configuration, logger, parts, verbosity }: StartContext,
  { metrics, egress }: Pick<Foundation, 'metrics' | 'egress'>,
) {
  const values: PhaseOptions = configuration.values;
  const audit = await parts.use(
    'audit',
    () => openAudit(configuration.values, egress, metrics, logger),
    (started) => started?.close(),
  );
  const profiler = await parts.use(
    'profiler',
    () => new ProcessProfiler(processClock, values.contentionProfiling),
    (started) => started.stop(),
  );
  const debug = createDebugEndpoints({ configuration, profiler, verbosity });
  const tracer = await parts.use(
    'tracing',
    () => openTracing(configuration, egress, logger),
    (started) => started?.close(TRACING_CLOSE_MILLISECONDS),
  );
  await parts.use(
    'heap',
    () => watchHeap(processClock, logger),
    (stop) => stop(),
  );
  const loop = new LoopScheduler();
  await parts.use(
    'debug socket',
    () =>
      values.debugSocketPath === ''
        ? undefined
        : openDebugSocket(values.debugSocketPath, profilingPaths(profiler, verbosity), loop.own),
    (started) => started?.close(),
  );
  return { auditor: audit?.auditor, debug, tracer, loop, identity: serverIdentity() };
}
