import type { AuthenticationData } from '../controllers/authentication-map.ts';
import type { CertificateSigner } from '../controllers/certificates/signing.ts';
import { type RunningControllers, startControllers } from '../controllers/manager.ts';
import { selectControllers, withEnabledGate } from '../controllers/selection.ts';
import type { ControllerName } from '../controllers/table.ts';
import type { SignAccountToken } from '../controllers/tokens/account-tokens.ts';
import { ConfigurationError } from '../errors/configuration-error.ts';
import type { Aggregation } from '../extensions/aggregation/index.ts';
import { bootstrapFlowSchemas, bootstrapPriorityLevels } from '../kinds/flowcontrol/bootstrap-objects.ts';
import { MetadataInformer } from '../listers/metadata-informer.ts';
import { StoredContent } from '../listers/stored-content.ts';
import { StoredKinds } from '../listers/stored-kinds.ts';
import { StoreKeys } from '../listers/stored-presence.ts';
import type { Logger } from '../observability/log.ts';
import type { OptionSlice } from '../options/flags/table.ts';
import type { Configuration } from '../options/options.ts';
import type { Readers } from '../reader/readers.ts';
import { Sources } from '../reader/sources.ts';
import type { PodMetrics } from '../reconcile/pods/pod-usage.ts';
import type { Authorizer } from '../request/attributes.ts';
import type { Resources } from '../resources/resources.ts';
import type { SchedulerSettings } from '../scheduler/executor/settings.ts';
import type { Storage } from '../storage/storage.ts';
import { type ClusterClock, processClock } from '../time/clock.ts';
import type { NodeControllerNeeds } from '../workloads/node-controllers.ts';
import type { ServiceControllerNeeds } from '../workloads/service-controllers.ts';
import type { WorkloadSettings } from '../workloads/settings.ts';
import type { StorageControllerNeeds } from '../workloads/storage-controllers.ts';
import { type InProcessParts, inProcessSender } from './in-process-sender.ts';
import { measureQueues, measureSources } from './instrumentation.ts';
import { policyTypeCheck } from './policy-types.ts';
import { servedKinds } from './served-kinds.ts';

const GARBAGE_COLLECTOR: ControllerName = 'garbage-collector-controller';

type SelectingOptions = OptionSlice<'controllers' | 'enableGarbageCollector'>;

export interface ServerControllersOptions extends InProcessParts {
  readonly nodes: NodeControllerNeeds;
  readonly storageControllers: StorageControllerNeeds;
  readonly selected: ReadonlySet<string>;
  /** Whether pods can be resized. */
  readonly resizesPods: boolean;
  readonly workloads: WorkloadSettings;
  /** Measurements of the Pods of simulated nodes; undefined if there are none. */
  readonly podMetrics: PodMetrics | undefined;
  readonly services: ServiceControllerNeeds;
  readonly scheduler: SchedulerSettings;
  /** Milliseconds between the deletion of a namespace and that of its content. */
  readonly namespaceDeletionDelay: number;
  /** The garbage collector keeps objects whose owners the server has never stored. */
  readonly keepsUnknownOwners: boolean;
  readonly resources: Resources;
  readonly readers: Readers;
  /** Decides what controllers may read. */
  readonly authorizer: Authorizer;
  readonly storage: Storage;
  readonly clusterClock: ClusterClock;
  readonly aggregation: Aggregation;
  readonly caBundle: string;
  readonly signer: CertificateSigner;
  readonly signAccountToken: SignAccountToken;
  readonly authenticationData: AuthenticationData;
  readonly logger: Logger;
}

/**
 * The controllers that a configuration enables, by `--controllers`, `--enable-garbage-collector` and feature gates.
 * @throws ConfigurationError for an unknown controller
 */
export function selectedControllers({ values, gates }: Configuration): ReadonlySet<string> {
  const { controllers, enableGarbageCollector }: SelectingOptions = values;
  try {
    const selected = withEnabledGate(selectControllers(controllers), (gate) => gates.enabled(gate));
    return enableGarbageCollector
      ? selected
      : new Set([...selected].filter((name) => name !== GARBAGE_COLLECTOR));
  } catch (error) {
    throw new ConfigurationError(`--controllers: ${(error as Error).message}`);
  }
}

/**
 * Starts the server's control loops and the selected controllers; their requests pass through the filter
 * chain.
 */
export function runControllers({
  handle,
  identities,
  selected,
  nodes,
  storageControllers,
  resizesPods,
  workloads,
  podMetrics,
  services,
  scheduler,
  namespaceDeletionDelay,
  keepsUnknownOwners,
  resources,
  readers,
  authorizer,
  storage,
  clusterClock,
  aggregation,
  caBundle,
  signer,
  signAccountToken,
  turns,
  authenticationData,
  logger,
  metrics,
  activity,
}: ServerControllersOptions): RunningControllers {
  const content = new StoredContent(resources, storage);
  const sources = new Sources(readers, authorizer, measureSources(metrics));
  return startControllers({
    send: inProcessSender({ handle, identities, metrics, turns, activity }),
    objects: (user, resource, selection, onError) => sources.objects(user, resource, selection, onError),
    selected,
    ...nodes,
    ...storageControllers,
    resizesPods,
    workloads,
    podMetrics,
    ...services,
    scheduler,
    namespaceDeletionDelay,
    keepsUnknownOwners,
    caBundle,
    signer,
    signAccountToken,
    authenticationData,
    flowControlObjects: {
      flowSchemas: bootstrapFlowSchemas(resources.scheme),
      priorityLevels: bootstrapPriorityLevels(),
    },
    countableKinds: new StoredKinds(resources.served, storage, processClock),
    namespaceContent: {
      find: (namespace) => content.find(namespace),
      metadata: (resource, namespace) => content.metadata(resource, namespace),
      remote: () => aggregation.namespacedResources(),
    },
    checkPolicyTypes: policyTypeCheck(resources, turns),
    remoteKinds: aggregation.kinds,
    servedKinds: servedKinds(resources.served, aggregation.kinds),
    createMetadataSource: () => new MetadataInformer({ resources, storage, logger }),
    clock: processClock,
    clusterClock,
    logger,
    observeQueue: measureQueues(metrics, activity),
    followWork: (isIdle) => activity.follow(isIdle),
    presence: new StoreKeys(resources, storage, processClock),
    version: resources.scheme.release.gitVersion,
  });
}
