import { randomUUID } from 'node:crypto';
import type { Exchange, ExchangeHandler } from '../connection/exchange.ts';
import type { HandlerEnvironment } from '../handlers/environment.ts';
import { equivalentResources } from '../listers/equivalent-resources.ts';
import { type OperationEnvironment, randomSuffix } from '../operations/environment.ts';
import { fieldOwnership } from '../operations/ownership.ts';
import { WriterQueue } from '../operations/writer-queue.ts';
import type { OptionSlice } from '../options/flags/table.ts';
import type { Configuration } from '../options/options.ts';
import type { UserInfo } from '../request/user.ts';
import type { LoopTurns } from '../steps/turns.ts';
import { type AdmissionOptions, type AdmissionParts, createAdmission } from './admission.ts';
import { type AdmissionSettings, connectImagePolicy } from './admission-configuration.ts';
import { measureFreshness, measureWatches } from './instrumentation.ts';
import { namespaceCreator } from './namespace-creator.ts';
import { createPolicyPlugins, type PolicyParts } from './policies.ts';

const MAXIMUM_BODY_BYTES = 3 * 1024 * 1024;
const FUTURE_REVISION_WAIT = 3000;
const BOOKMARK_INTERVAL = 60_000;

type EnvironmentOptions = OptionSlice<
  'allowPrivileged' | 'enableGarbageCollector' | 'minRequestTimeout' | 'watchCache'
>;

/** Dependencies of operations and handlers. */
export interface EnvironmentParts
  extends Omit<
      AdmissionParts,
      'configuration' | 'createNamespace' | 'equivalents' | 'imagePolicy' | 'policies' | 'settings'
    >,
    Omit<PolicyParts, 'configuration' | 'equivalents' | 'listers' | 'turns'> {
  readonly configuration: Configuration<EnvironmentOptions & AdmissionOptions>;
  readonly listers: PolicyParts['listers'];
  readonly admission: AdmissionSettings;
  /** The turns of the event loop for the cluster's own work. */
  readonly turns: LoopTurns;
  /** The users of in-process requests. */
  readonly identities: WeakMap<Exchange, UserInfo>;
  /** What ends with the environments. */
  readonly stops: (() => void)[];
}

/** Creates what operations need, with the admission plugins. @param handle takes the requests of plugins */
export async function operationEnvironment(
  parts: EnvironmentParts,
  handle: ExchangeHandler,
): Promise<OperationEnvironment> {
  const { configuration, clusterClock, metrics, turns, identities, stops } = parts;
  const { values, gates } = configuration;
  const imagePolicy = connectImagePolicy(parts.admission);
  if (imagePolicy !== undefined) stops.push(() => imagePolicy.close());
  const shared = {
    ...parts,
    turns,
    equivalents: equivalentResources(parts.resources.served),
  };
  const policies = createPolicyPlugins(shared);
  stops.push(...policies.map((policy) => () => policy.stop()));
  const admission = await createAdmission({
    ...shared,
    settings: parts.admission,
    createNamespace: namespaceCreator((exchange, user) => {
      identities.set(exchange, user);
      handle(exchange);
    }, configuration.scheme.release),
    imagePolicy,
    policies,
  });
  for (const policy of policies) await policy.start();
  return {
    admission,
    ownership: fieldOwnership,
    writers: new WriterQueue(),
    now: clusterClock.now,
    uid: randomUUID,
    nameSuffix: () => randomSuffix(Math.random),
    futureRevisionWait: FUTURE_REVISION_WAIT,
    allowPrivileged: values.allowPrivileged,
    garbageCollection: values.enableGarbageCollector,
    droppedFields: ({ row }, count) => metrics.droppedFields.with(row.group, row.resource).add(count),
    isOn: gates.isOn,
  };
}

/** What handlers need besides their requests. */
export function handlerEnvironment(
  { configuration: { values, gates }, resources, authorizer, clusterClock, metrics }: EnvironmentParts,
  operations: OperationEnvironment,
): HandlerEnvironment {
  return {
    resources,
    operations,
    authorize: (attributes) => authorizer.authorize(attributes),
    now: clusterClock.now,
    features: {
      watchList: gates.enabled('WatchList'),
      unsafeDeletion: gates.enabled('AllowUnsafeMalformedObjectDeletion'),
      watchCache: values.watchCache,
    },
    maximumBodyBytes: MAXIMUM_BODY_BYTES,
    minimumWatchSeconds: values.minRequestTimeout,
    bookmarkInterval: BOOKMARK_INTERVAL,
    countWatchEvents: measureWatches(metrics),
    waitedForCache: measureFreshness(metrics),
    watchListed: ({ group, version, resource }, scope, seconds) =>
      metrics.watchListDuration.with(group, version, resource, scope).observe(seconds),
  };
}
