import { formatRange } from '../addresses/range.ts';
import { parseAllocationRange } from '../allocation/allocation-range.ts';
import { MemoryNumberPool } from '../allocation/number-pool.ts';
import { ServiceAllocator } from '../allocation/service-allocator.ts';
import { StoredNumberPool } from '../allocation/stored-number-pool.ts';
import type { ServerMetrics } from '../observability/metrics-catalog.ts';
import type { OptionSlice } from '../options/flags/table.ts';
import type { Configuration } from '../options/options.ts';
import { hasAddressBitmap } from '../options/validation/services.ts';
import { Resources } from '../resources/resources.ts';
import type { Storage } from '../storage/storage.ts';
import type { Authorization } from './authorization.ts';
import { escalationCheck } from './escalation-check.ts';
import { measurePool } from './measured-pool.ts';

/** Bytes of recent events that each resource keeps for resuming watches. */
const EVENT_BYTES = 4 << 20;
/** Size of the encoding cache in bytes. */
const VIEW_BYTES = 64 << 20;

/** The options of the service allocator. */
type ServiceAllocationOptions = OptionSlice<'serviceNodePortRange'>;

/**
 * Creates the allocator of Service addresses and node ports for the ranges of the flags. Servers that share a
 * store allocate in the store.
 */
export function createServiceAllocator(
  { values, serviceRanges, storageBackend, gates }: Configuration<ServiceAllocationOptions>,
  storage: Storage,
  metrics?: ServerMetrics,
): ServiceAllocator {
  const random = Math.random;
  const isBounded = hasAddressBitmap(storageBackend, gates);
  return new ServiceAllocator({
    addressRanges: serviceRanges.map((range) => parseAllocationRange(formatRange(range), isBounded)!),
    nodePorts: values.serviceNodePortRange,
    random,
    createPool(options) {
      const pool =
        storage.immediate === undefined
          ? new StoredNumberPool({ storage, random, ...options })
          : new MemoryNumberPool(options.size, options.band, random);
      return metrics === undefined ? pool : measurePool(pool, options, metrics);
    },
  });
}

/** The options of the resources. */
type RegistryOptionSlice = OptionSlice<'eventTtl' | 'watchCache'>;

export interface ServerRegistryOptions {
  readonly configuration: Configuration<RegistryOptionSlice>;
  readonly storage: Storage;
  readonly allocator: ServiceAllocator;
  /** Read on demand, since it is created after the resources; undefined where nothing is written. */
  authorization(): Authorization | undefined;
}

/** Creates all resources that `--runtime-config` enables. */
export function createResources({
  configuration,
  storage,
  allocator,
  authorization,
}: ServerRegistryOptions): Resources {
  const { values, apis, gates } = configuration;
  return new Resources({
    scheme: configuration.scheme,
    storage,
    isServed: ({ group, version, resource }) => apis.isEnabled(group, version, resource),
    dependencies: {
      allocator,
      eventSeconds: Math.round(values.eventTtl / 1000),
      isOn: gates.isOn,
      has: configuration.scheme.has,
      isAllowed: async (attributes) =>
        (await authorization()?.authorizer.authorize(attributes))?.decision === 'allow',
      checkEscalation: escalationCheck(() => authorization()?.escalation),
    },
    eventBytes: values.watchCache ? EVENT_BYTES : 0,
    encodingCacheBytes: VIEW_BYTES,
  });
}
