import type { Family } from '../nodes/addresses.ts';
import { KubeletEvents } from '../nodes/kubelet-events.ts';
import type { Kubelets } from '../nodes/kubelets.ts';
import type { SimulationSettings } from '../nodes/settings.ts';
import { Simulation } from '../nodes/simulation.ts';
import type { Logger } from '../observability/log.ts';
import type { Configuration } from '../options/options.ts';
import type { Readers } from '../reader/readers.ts';
import { Sources } from '../reader/sources.ts';
import { Client } from '../reconcile/client.ts';
import { EventWriter } from '../reconcile/events/event-writer.ts';
import { eventRecorder } from '../reconcile/events/recorder.ts';
import { API_SERVER } from '../reconcile/identities.ts';
import { LeaderElection } from '../replicas/leader-election.ts';
import type { Authorizer } from '../request/attributes.ts';
import { type ClusterClock, processClock } from '../time/clock.ts';
import { type InProcessParts, inProcessSender } from './in-process-sender.ts';
import { measureQueues } from './instrumentation.ts';

/** The Lease of the server that simulates, of those that share a store. */
const LEASE = { namespace: 'kube-system', name: 'binnacle-simulation' };
/** Bounds of one request of that Lease. */
const LEASE_BOUNDS = { milliseconds: 5000, bytes: 1 << 20 };

export interface SimulationParts extends InProcessParts {
  readonly settings: SimulationSettings;
  readonly kubelets: Kubelets;
  readonly configuration: Pick<Configuration, 'gates' | 'scheme' | 'serviceRanges'>;
  readonly readers: Readers;
  readonly authorizer: Authorizer;
  readonly clusterClock: ClusterClock;
  /** Whether other servers may use the store: one of them simulates. */
  readonly shared: boolean;
  /** Identity of this process. */
  readonly identity: string;
  readonly logger: Logger;
}

/** Starts the simulation of nodes, on one of the servers that share a store. */
export function runSimulation(parts: SimulationParts): { stop(): Promise<void> } {
  const { shared, identity, clusterClock, logger } = parts;
  let running: { stop(): Promise<void> } | undefined;
  const start = (): void => {
    running = startSimulation(parts);
  };
  const stop = async (): Promise<void> => {
    await running?.stop();
    running = undefined;
  };
  if (!shared) {
    start();
    return { stop };
  }
  const election = new LeaderElection({
    client: new Client(inProcessSender(parts)(API_SERVER), agentOf('kube-apiserver', parts)).bounded(
      LEASE_BOUNDS,
    ),
    lease: LEASE,
    identity,
    clock: processClock,
    clusterClock,
    logger,
    onStarted: start,
    onStopped: stop,
  });
  election.start();
  return { stop: () => election.stop() };
}

const agentOf = (program: string, { configuration }: SimulationParts): string =>
  `${program}/${configuration.scheme.release.gitVersion}`;

function startSimulation(parts: SimulationParts): { stop(): Promise<void> } {
  const { settings, configuration, kubelets, readers, authorizer, metrics, activity, logger, clusterClock } =
    parts;
  const writer = new EventWriter(
    { clock: processClock, clusterClock, logger },
    { idle: (isIdle) => activity.follow(isIdle) },
  );
  const send = inProcessSender(parts);
  const sources = new Sources(readers, authorizer);
  const simulation = new Simulation({
    settings,
    families: familiesOf(settings, configuration),
    observesGeneration: configuration.gates.enabled('PodObservedGenerationTracking'),
    version: configuration.scheme.release.gitVersion,
    administrator: new Client(send(API_SERVER), agentOf('kube-apiserver', parts)),
    client: (node) => new Client(send(kubelets.createUser(node)), agentOf('kubelet', parts)).writer(),
    events: (host, client) =>
      new KubeletEvents(
        eventRecorder({ writer, client, component: 'kubelet', host, clock: clusterClock }),
        settings.events,
      ),
    onRunning: (node, isRunning) => kubelets.setRunning(node, isRunning),
    objects: (resource) =>
      sources.objects(API_SERVER, resource, {}, (error) =>
        logger.detail(2, 'watch failed; retrying', {
          resource: resource.resource,
          err: (error as Error).message,
        }),
      ),
    clock: processClock,
    clusterClock,
    logger,
    observeQueue: measureQueues(metrics, activity),
  });
  void simulation.start();
  return {
    async stop() {
      await simulation.stop();
      await writer.stop();
    },
  };
}

/** Pods have the families of the Services of the cluster, unless the settings say another. */
function familiesOf(
  { ipv6 }: SimulationSettings,
  { serviceRanges }: Pick<Configuration, 'serviceRanges'>,
): Family[] {
  if (ipv6 !== undefined) return ipv6 ? [4, 6] : [4];
  return serviceRanges.map(({ address }) => address.family);
}
