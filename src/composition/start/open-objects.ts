import { observeProcess, observeStartTime } from '../../observability/metrics-process.ts';
import { observeRuntime } from '../../observability/metrics-runtime.ts';
import type { OptionSlice } from '../../options/flags/table.ts';
import { ServiceRanges } from '../../replicas/service-ranges.ts';
import { processClock } from '../../time/clock.ts';
import { aggregate } from '../aggregation.ts';
import { openBootstrapObjects } from '../bootstrap-cluster.ts';
import { serveCustomResources } from '../custom-resources.ts';
import { removeSeriesOfKinds } from '../instrumentation.ts';
import { createNodeAccess } from '../node-access.ts';
import { createOutbound } from '../outbound.ts';
import { registerServerGauges } from '../server-gauges.ts';
import { ServerHealth } from '../server-health.ts';
import type { Access } from './open-access.ts';
import type { Server } from './open-server.ts';
import type { Store } from './open-store.ts';
import type { StartContext } from './start-context.ts';

/** The options of this phase. */
type PhaseOptions = OptionSlice<
  'enablePriorityAndFairness' | 'livezGracePeriod' | 'profiling' | 'proxyClientCertFile'
>;

/** What the fourth phase started. */
export type ClusterObjects = Awaited<ReturnType<typeof openObjects>>;

/** Creates the objects of every cluster, and serves custom resources and extension servers. */
export async function openObjects(
  { configuration, simulation, clusterClock, logger, parts, lifecycle, further }: StartContext,
  { metrics, egress, tls, listener, port, identity: server }: Server,
  { measured, encrypted, storage }: Store,
  { allocator, resources, readers, authorization, identity }: Access,
) {
  const values: PhaseOptions = configuration.values;
  const health = new ServerHealth({
    metrics,
    storage,
    lifecycle,
    logger,
    livezGracePeriod: values.livezGracePeriod,
    profiling: values.profiling,
    priorityAndFairness: values.enablePriorityAndFairness,
    serviceRanges: configuration.gates.enabled('MultiCIDRServiceAllocator'),
    proxyCertificate: values.proxyClientCertFile !== '',
    gates: configuration.gates,
    scheme: configuration.scheme,
  });
  const shared = measured.immediate === undefined;
  const bootstrapped = await parts.use(
    'bootstrap objects',
    () =>
      openBootstrapObjects(further, {
        configuration,
        resources,
        authorization,
        identity,
        server,
        port,
        shared,
        now: clusterClock.now,
        logger,
      }),
    (started) => started.stop(),
  );
  health.add(...encrypted.checks, ...(bootstrapped.check === undefined ? [] : [bootstrapped.check]));
  health.markBootstrapped([...resources.stored].map(({ cache }) => cache));
  removeSeriesOfKinds(resources.served, metrics, measured);
  if (further === undefined) {
    observeProcess(metrics.registry);
    observeStartTime(metrics.indicators);
    await parts.use(
      'runtime metrics',
      () => observeRuntime(metrics.registry),
      (stop) => stop(),
    );
  }
  registerServerGauges({ metrics, configuration, resources, storage, listener });
  const serviceRanges = new ServiceRanges({
    resources,
    allocator,
    clock: processClock,
    clusterClock,
    logger,
    onFailure() {
      metrics.addressRepairErrors.with().add();
      metrics.portRepairErrors.with().add();
    },
  });
  await serviceRanges.repair();
  health.finish('services');
  const outbound = await parts.use(
    'outbound connections',
    () => createOutbound({ configuration, resources, egress, port }),
    (started) => started.client.close(),
  );
  const { access, simulated } = await parts.use(
    'connections to kubelets',
    () =>
      createNodeAccess(
        configuration.values,
        egress,
        metrics,
        simulation && { settings: simulation, resources, clusterClock },
      ),
    (started) => started.close(),
  );
  const customResources = await parts.use(
    'custom resources',
    () =>
      serveCustomResources({
        ...{ resources, outbound, metrics, logger },
        speaksCbor: configuration.gates.enabled('CBORServingAndStorage'),
      }),
    (started) => started.stop(),
  );
  const aggregation = await parts.use(
    'aggregation',
    () => aggregate({ configuration, resources, readers, outbound, tls, logger }),
    (started) => started.stop(),
  );

  return {
    health,
    shared,
    serviceRanges,
    outbound,
    access,
    simulated,
    customResources,
    aggregation,
    /** Names the bootstrap objects that cannot be read. */
    unreadable: bootstrapped.problem,
  };
}
