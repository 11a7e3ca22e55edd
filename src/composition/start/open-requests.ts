import type { OptionSlice } from '../../options/flags/table.ts';
import { holdingClock } from '../../time/clock.ts';
import { drainRequests } from '../drain.ts';
import { createRequestChain, type RequestChain } from '../request-chain.ts';
import type { RequestGate } from '../request-gate.ts';
import type { Access } from './open-access.ts';
import type { ClusterObjects } from './open-objects.ts';
import type { Server } from './open-server.ts';
import type { Store } from './open-store.ts';
import type { StartContext } from './start-context.ts';

/** The options of this phase. */
type PhaseOptions = OptionSlice<
  'ephemeral' | 'shutdownSendRetryAfter' | 'shutdownWatchTerminationGracePeriod'
>;

/** Longest time for requests in flight when the server stops, in milliseconds. */
const DRAIN_MILLISECONDS = 8000;
/** The same of an ephemeral server, whose objects nobody reads again. */
const EPHEMERAL_DRAIN_MILLISECONDS = 1000;

/** Opens the request chain: requests are served from here on. */
export async function openRequests(
  start: StartContext,
  { metrics, listener, port, auditor, debug, clusterPaths, tracer, loop }: Server,
  { storage }: Store,
  gate: RequestGate,
  { resources, readers, listers, serviceAccounts, identity }: Access,
  { health, outbound, access, simulated, customResources, aggregation }: ClusterObjects,
): Promise<RequestChain> {
  const { configuration, admission, clusterClock, logger, parts, lifecycle, faults } = start;
  const values: PhaseOptions = configuration.values;
  const chain = await parts.use(
    'request chain',
    () =>
      createRequestChain({
        configuration,
        resources,
        readers,
        listers,
        storage,
        clusterClock,
        metrics,
        logger,
        health,
        identity,
        serviceAccounts,
        admission,
        aggregation,
        customResources,
        outbound,
        access,
        metricsApi: simulated?.metrics,
        port,
        debug,
        clusterPaths,
        faults,
        lifecycle,
        tracer,
        loop,
        auditor,
      }),
    (started) => started.stop(),
  );
  health.finish('chain');
  await parts.use(
    'serving',
    () => gate.open(chain.handle),
    async () => {
      // Requests of a store that was replaced have ended with an error, or end with what they have read.
      if (lifecycle.restarting) return;
      lifecycle.rejecting = true;
      await drainRequests({
        listener,
        resources,
        watchGrace: values.shutdownWatchTerminationGracePeriod,
        keepsListening: values.shutdownSendRetryAfter,
        limit: values.ephemeral ? EPHEMERAL_DRAIN_MILLISECONDS : DRAIN_MILLISECONDS,
        clock: holdingClock,
      });
    },
  );
  return chain;
}
