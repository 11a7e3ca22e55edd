import { podUsage } from '../../nodes/pod-usage.ts';
import type { OptionSlice } from '../../options/flags/table.ts';
import { servedDeviceResources } from '../../reconcile/devices.ts';
import { runAggregationLoops } from '../aggregation.ts';
import { workloadSettings } from '../controller-settings.ts';
import { runControllers } from '../controllers.ts';
import { runDefinitionLoops } from '../definition-loops.ts';
import { nodeControllerSettings } from '../node-controllers.ts';
import { startCompaction } from '../open-storage.ts';
import type { RequestChain } from '../request-chain.ts';
import { schedulerSettings } from '../scheduler-settings.ts';
import { runServerLoops } from '../server-loops.ts';
import { serviceControllerSettings } from '../service-controllers.ts';
import { storageControllerSettings } from '../storage-controllers.ts';
import type { Access } from './open-access.ts';
import type { ClusterObjects } from './open-objects.ts';
import type { Server } from './open-server.ts';
import type { Store } from './open-store.ts';
import type { StartContext } from './start-context.ts';

/** The options of this phase. */
type PhaseOptions = OptionSlice<
  'etcdCompactionInterval' | 'keepDependentsOfUnknownOwners' | 'namespaceDeletionDelay'
>;

/** Starts the control loops; they are clients of the request chain. */
export async function startLoops(
  { configuration, selected, simulation, clusterClock, logger, parts, further }: StartContext,
  { metrics, tls, port, identity: server }: Server,
  { storage }: Store,
  { signer, resources, readers, serviceAccounts, identity, kubelets }: Access,
  { health, shared, serviceRanges, aggregation }: ClusterObjects,
  chain: RequestChain,
): Promise<void> {
  const values: PhaseOptions = configuration.values;
  await parts.use(
    'compaction',
    // The history of a further cluster is bounded by its bytes: an idle one has no timer.
    () => startCompaction(storage, further === undefined ? values.etcdCompactionInterval : 0, logger),
    (stop) => stop(),
  );
  await parts.use(
    'definition loops',
    () => runDefinitionLoops({ ...chain, resources, readers, storage, clusterClock, metrics, logger }),
    (started) => started.stop(),
  );
  runAggregationLoops(aggregation, {
    ...chain,
    scheme: resources.scheme,
    clusterClock,
    metrics,
    logger,
  });
  const devices = servedDeviceResources((group, version) => resources.served.hasGroupVersion(group, version));
  const controllers = await parts.use(
    'controllers',
    () =>
      runControllers({
        ...chain,
        selected,
        nodes: {
          ...nodeControllerSettings(configuration.values),
          isLiveNode: (node) => kubelets?.isRunning(node) === true,
        },
        storageControllers: storageControllerSettings(
          configuration.values,
          configuration.gates,
          devices,
          simulation !== undefined,
        ),
        resizesPods: configuration.gates.enabled('InPlacePodVerticalScaling'),
        scheduler: schedulerSettings(configuration, devices),
        namespaceDeletionDelay: values.namespaceDeletionDelay,
        keepsUnknownOwners: values.keepDependentsOfUnknownOwners,
        workloads: workloadSettings(configuration.values, configuration.gates),
        services: serviceControllerSettings(configuration.values),
        podMetrics:
          kubelets &&
          ((pod) =>
            kubelets.isRunning(pod.spec?.nodeName ?? '') ? podUsage(pod, clusterClock.now()) : undefined),
        resources,
        readers,
        authorizer: identity.authorizer,
        storage,
        clusterClock,
        aggregation,
        caBundle: tls.caBundle,
        signer,
        signAccountToken: serviceAccounts.signAccountToken,
        authenticationData: { current: identity.authenticationData, onChange: identity.onCaBundleChange },
        logger,
        metrics,
      }),
    (started) => started.stop(),
  );
  // Controllers and loops are clients: the start of the server does not wait for them.
  await parts.use(
    'server loops',
    () =>
      runServerLoops({
        ...chain,
        configuration,
        clusterClock,
        metrics,
        storage,
        shared,
        identity: server,
        serviceRanges,
        serviceAccounts,
        controllers: selected.size === 0 ? undefined : controllers,
        port,
        isFurther: further !== undefined,
        logger,
      }),
    (started) => started.stop(),
  );
  if (simulation !== undefined) {
    const { runSimulation } = await import('../simulation.ts');
    await parts.use(
      'simulation',
      () =>
        runSimulation({
          ...chain,
          settings: simulation,
          kubelets: kubelets!,
          configuration,
          readers,
          authorizer: identity.authorizer,
          clusterClock,
          shared,
          identity: server.holder,
          metrics,
          logger,
        }),
      (started) => started.stop(),
    );
  }
  health.finish('loops');
}
