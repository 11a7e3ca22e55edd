import { randomBytes } from 'node:crypto';
import type { ServerIdentity } from '../../bootstrap/identity-lease.ts';
import type { ExchangeHandler } from '../../connection/exchange.ts';
import type { Listener } from '../../connection/listener.ts';
import type { RequestTracer } from '../../filters/tracing.ts';
import type { OptionSlice } from '../../options/flags/table.ts';
import { ProcessProfiler } from '../../profiling/profiler.ts';
import type { Auditor } from '../../request/audit.ts';
import type { Handler } from '../../request/context.ts';
import { LoopScheduler } from '../../steps/loop-scheduler.ts';
import { processClock } from '../../time/clock.ts';
import { openAudit } from '../audit.ts';
import { createDebugEndpoints, type DebugEndpoints, profilingPaths } from '../debug-endpoints.ts';
import { openDebugSocket } from '../debug-socket.ts';
import { watchHeap } from '../heap-watch.ts';
import { serverIdentity } from '../open-storage.ts';
import { type ServiceAccountKeys, serviceAccountKeysOf } from '../service-account-keys.ts';
import { loadTlsMaterial, type TlsMaterial } from '../serving-certificates.ts';
import { startListener } from '../start-listener.ts';
import { openTracing } from '../tracing.ts';
import type { Instruments } from './open-instruments.ts';
import type { StartContext } from './start-context.ts';

/** The options of this phase. */
type PhaseOptions = OptionSlice<'contentionProfiling' | 'debugSocketPath' | 'printToken'>;

/** Time to export the remaining spans at shutdown. */
const TRACING_CLOSE_MILLISECONDS = 1000;

/** Bytes of the administrator's token: enough that it cannot be guessed. */
const TOKEN_BYTES = 32;

/** Non-resource paths with their handlers. */
export type ClusterPaths = readonly (readonly [path: string, handler: Handler])[];

/** What a cluster needs of the listener. */
export type ClusterListener = Pick<Listener, 'counters' | 'drain' | 'setCertificates'>;

/** What belongs to the process and has no state of a cluster: it serves every cluster, whichever starts again. */
export interface Server extends Instruments {
  readonly tls: TlsMaterial;
  /** A bearer token of the administrator; undefined without `--print-token`. */
  readonly administratorToken: string | undefined;
  /** The keys of service account tokens. */
  readonly accountKeys: () => ServiceAccountKeys;
  readonly listener: ClusterListener;
  readonly port: number;
  /** `https://host:port` for local clients. */
  readonly url: string;
  readonly auditor: Auditor | undefined;
  readonly debug: DebugEndpoints;
  /** The paths at which further clusters are created; none without `--clusters`, and in further clusters. */
  readonly clusterPaths: ClusterPaths;
  readonly tracer: RequestTracer | undefined;
  readonly loop: LoopScheduler;
  readonly identity: ServerIdentity;
}

/**
 * Opens the port and what observes the process.
 * @param handler of requests, from the first one on
 * @throws ConfigurationError if the port is in use or not permitted
 */
export async function openServer(
  { configuration, logger, parts, verbosity }: StartContext,
  { metrics, egress }: Instruments,
  handler: ExchangeHandler,
): Promise<Server & { readonly listener: Listener }> {
  const values: PhaseOptions = configuration.values;
  const tls = loadTlsMaterial({
    configuration,
    now: new Date(processClock.now()),
    persist: configuration.storageBackend !== 'memory' || configuration.given.has('certDir'),
    warn: (message) => logger.warn(message),
  });
  const listening = await parts.use(
    'listener',
    () => startListener(configuration, tls, handler, logger),
    (started) => started.listener.close(),
  );
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
        : openDebugSocket(
            values.debugSocketPath,
            profilingPaths(profiler, verbosity),
            loop.own,
            configuration.scheme,
          ),
    (started) => started?.close(),
  );
  return {
    metrics,
    egress,
    tls,
    accountKeys: serviceAccountKeysOf(configuration),
    administratorToken: values.printToken ? randomBytes(TOKEN_BYTES).toString('hex') : undefined,
    ...listening,
    auditor: audit?.auditor,
    debug,
    clusterPaths: [],
    tracer,
    loop,
    identity: serverIdentity(),
  };
}
