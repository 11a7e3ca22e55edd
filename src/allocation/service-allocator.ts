import { type AddressFamily, parseAddressSloppy } from '../addresses/address.ts';
import type { AllocationContext } from '../kinds/core/services/service-addresses.ts';
import { determineFamilies } from '../kinds/core/services/service-families.ts';
import { HEADLESS, isExternalName, needsHealthCheckPort } from '../kinds/core/services/service-rules.ts';
import type { Allocation } from '../kinds/strategy.ts';
import { formatGoStrings } from '../kinds/validation/format-value.ts';
import type { Service } from '../model/generated/core-v1.ts';
import { errors } from '../status/errors.ts';
import { type FieldError, firstErrors, forbidden, invalidFormatted } from '../status/field-error.ts';
import type { MaybePromise } from '../storage/storage.ts';
import { type AllocationRange, addressBandSize, portBandSize } from './allocation-range.ts';
import { allocateNodePorts } from './node-port-allocation.ts';
import { NodePorts } from './node-ports.ts';
import { MemoryNumberPool, type NumberPool, type PoolRepair } from './number-pool.ts';
import { AllocationTransaction, type PoolEntry } from './transaction.ts';

/** Options of a {@link ServiceAllocator}. */
export interface ServiceAllocatorOptions {
  /** One range, or one per family; the family of the first is the default. */
  readonly addressRanges: readonly AllocationRange[];
  /** First and last node port. */
  readonly nodePorts: { readonly first: number; readonly last: number };
  /** Returns 0 ≤ value < 1. */
  readonly random: () => number;
  /** Creates the pool of a range; default: {@link MemoryNumberPool}. */
  readonly createPool?: (options: PoolOptions) => NumberPool;
}

export interface PoolOptions {
  /** Key of the pool where it is stored: `serviceips`, `secondaryserviceips` or `servicenodeports`. */
  readonly name: string;
  /** Text of the range. */
  readonly range: string;
  readonly size: number;
  /** Size of the lower band, which is used only when the rest is full. */
  readonly band: number;
}

/**
 * A fault that a repair found: an address or port that was not allocated to its Service, that two Services
 * have (`service` is the younger one), that is outside the server's range, or that is not an address.
 */
export interface AllocationFault {
  readonly type: 'not allocated' | 'already allocated' | 'out of range' | 'not valid';
  readonly service: Service;
  /** The Service that has the value, for `already allocated`. */
  readonly holder?: Service;
  readonly resource: 'address' | 'port';
  readonly value: string;
}

/** A pool with its holders while it is repaired. */
interface RepairedPool {
  readonly repair: PoolRepair;
  /** Oldest holder by offset. */
  readonly holders: Map<number, { readonly service: Service; readonly value: string }>;
  /** One entry for each holder. */
  readonly offsets: number[];
  readonly resource: 'address' | 'port';
}

/** Allocates cluster IPs, node ports and health check node ports, each to one Service only. */
export class ServiceAllocator {
  readonly families: readonly AddressFamily[];
  readonly #ranges: ReadonlyMap<
    AddressFamily,
    { readonly range: AllocationRange; readonly pool: NumberPool }
  >;
  readonly #nodePorts: NodePorts;

  constructor({ addressRanges, nodePorts: { first, last }, random, createPool }: ServiceAllocatorOptions) {
    const create = createPool ?? (({ size, band }: PoolOptions) => new MemoryNumberPool(size, band, random));
    this.families = addressRanges.map(({ family }) => family);
    this.#ranges = new Map(
      addressRanges.map((range, index) => {
        const { size, cidr } = range;
        const name = index === 0 ? 'serviceips' : 'secondaryserviceips';
        return [
          range.family,
          { range, pool: create({ name, range: cidr, size, band: addressBandSize(size) }) },
        ];
      }),
    );
    const size = last - first + 1;
    const ports = { name: 'servicenodeports', range: `${first}-${last}`, size, band: portBandSize(size) };
    this.#nodePorts = new NodePorts(first, last, create(ports));
  }

  /**
   * Sets families, addresses and ports of `service`, after defaulting and `prepareForCreate/Update` and
   * before validation.
   * @throws ApiError 422 for an invalid request, 500 when a range is full
   */
  async allocate(
    service: Service,
    old: Service | undefined,
    context: AllocationContext,
  ): Promise<Allocation | undefined> {
    const transaction = new AllocationTransaction(context.dryRun);
    try {
      throwIfInvalid(
        service,
        firstErrors(() => determineFamilies(service, old, this.families, context)),
      );
      await this.#allocateAddresses(transaction, service, old);
      throwIfInvalid(service, await allocateNodePorts(transaction, this.#nodePorts, service, old));
      await this.#allocateHealthCheckPort(transaction, service, old);
    } catch (error) {
      await transaction.rollback();
      throw error;
    }
    return transaction.isEmpty ? undefined : transaction;
  }

  /** Releases the addresses and ports of a deleted Service. */
  async release(service: Service): Promise<void> {
    for (const { pool, offset } of this.#entriesOf(service)) await pool.release(offset);
  }

  /**
   * Makes the pools agree with the stored Services. In a conflict both Services keep the value.
   * @param list lists all Services as the store has them at the call
   * @throws PoolChangedError when another server allocated meanwhile: try again
   */
  async repair(list: () => MaybePromise<readonly Service[]>): Promise<AllocationFault[]> {
    const pools = new Map<NumberPool, RepairedPool>();
    const start = async (pool: NumberPool, resource: RepairedPool['resource']): Promise<void> => {
      pools.set(pool, { repair: await pool.startRepair(), holders: new Map(), offsets: [], resource });
    };
    for (const { pool } of this.#ranges.values()) await start(pool, 'address');
    await start(this.#nodePorts.pool, 'port');
    const faults: AllocationFault[] = [];
    for (const service of [...(await list())].sort(byAge)) {
      faults.push(...this.#faultsOf(service));
      for (const { pool, offset, value } of this.#entriesOf(service)) {
        const { holders, offsets, resource } = pools.get(pool)!;
        const holder = holders.get(offset)?.service;
        if (holder === undefined) holders.set(offset, { service, value });
        else faults.push({ type: 'already allocated', service, holder, resource, value });
        offsets.push(offset);
      }
    }
    for (const { repair, holders, offsets, resource } of pools.values())
      for (const offset of (await repair.finish(offsets)).added)
        faults.push({ type: 'not allocated', ...holders.get(offset)!, resource });
    return faults;
  }

  /** The values of a Service that no pool can hold. */
  #faultsOf(service: Service): AllocationFault[] {
    const { clusterIPs = [] } = service.spec ?? {};
    const faults: AllocationFault[] = [];
    for (const value of isExternalName(service) ? [] : clusterIPs)
      if (value !== HEADLESS && value !== '' && this.#addressEntries([value]).length === 0) {
        const type = parseAddressSloppy(value) === undefined ? 'not valid' : 'out of range';
        faults.push({ type, service, resource: 'address', value });
      }
    for (const port of nodePortsOf(service))
      if (this.#nodePorts.entryOf(port) === undefined)
        faults.push({ type: 'out of range', service, resource: 'port', value: String(port) });
    return faults;
  }

  async #allocateAddresses(
    transaction: AllocationTransaction,
    service: Service,
    old: Service | undefined,
  ): Promise<void> {
    service.spec ??= {};
    const { spec } = service;
    if (old !== undefined && !isExternalName(old)) {
      if (old.spec?.clusterIPs?.[0] === HEADLESS) return;
      if (isExternalName(service))
        for (const entry of this.#addressEntriesOf(old)) transaction.releaseOnCommit(entry);
      const [oldCount, newCount] = [old.spec?.ipFamilies?.length ?? 0, spec.ipFamilies?.length ?? 0];
      if (oldCount === 1 && newCount === 2 && spec.clusterIPs?.[0] !== HEADLESS)
        await this.#allocateFrom(transaction, service, 1);
      if (oldCount === 2 && newCount === 1)
        for (const entry of this.#addressEntriesOf(old).slice(1)) transaction.releaseOnCommit(entry);
    } else if (!isExternalName(service) && spec.clusterIP !== HEADLESS) {
      await this.#allocateFrom(transaction, service, 0);
      if (spec.clusterIPs?.[0] !== undefined) [spec.clusterIP] = spec.clusterIPs;
    }
  }

  /** Reserves the requested or allocates the missing address of each family from index `start`. */
  async #allocateFrom(transaction: AllocationTransaction, service: Service, start: number): Promise<void> {
    const { spec } = service;
    const requested = spec?.clusterIPs ?? [];
    const clusterIPs = [...requested];
    for (const [index, family] of (spec?.ipFamilies ?? []).entries()) {
      if (index < start) continue;
      // `determineFamilies` returns configured families only.
      const { range, pool } = this.#ranges.get(family as AddressFamily)!;
      const address = requested[index] ?? '';
      if (address !== '')
        throwIfInvalid(service, await reserveAddress(transaction, range, pool, address, requested));
      else clusterIPs[index] = await allocateNextAddress(transaction, range, pool);
    }
    if (clusterIPs.length > 0) spec!.clusterIPs = clusterIPs;
  }

  async #allocateHealthCheckPort(
    transaction: AllocationTransaction,
    service: Service,
    old: Service | undefined,
  ): Promise<void> {
    const { spec = {} } = service;
    const oldPort = old !== undefined && needsHealthCheckPort(old) ? (old.spec?.healthCheckNodePort ?? 0) : 0;
    if (needsHealthCheckPort(service)) {
      const requested = spec.healthCheckNodePort ?? 0;
      if (oldPort !== 0 && requested !== oldPort) {
        throwIfInvalid(service, [forbidden('spec.healthCheckNodePort', 'field is immutable')]);
      }
      if (oldPort !== 0) return;
      if (requested === 0) spec.healthCheckNodePort = await this.#nodePorts.allocateNext(transaction);
      else {
        const problem = await this.#nodePorts.reserve(transaction, requested);
        if (problem !== undefined)
          throw errors.internal(`failed to allocate requested HealthCheck NodePort ${requested}: ${problem}`);
      }
    } else if (oldPort !== 0) {
      const entry = this.#nodePorts.entryOf(oldPort);
      if (entry !== undefined) transaction.releaseOnCommit(entry);
    }
  }

  #addressEntriesOf({ spec }: Service): (PoolEntry & { value: string })[] {
    return this.#addressEntries(spec?.clusterIPs ?? []);
  }

  #addressEntries(addresses: readonly string[]): (PoolEntry & { value: string })[] {
    return addresses.flatMap((value) => {
      for (const { range, pool } of this.#ranges.values()) {
        const offset = range.offsetOf(value);
        if (offset !== undefined) return [{ pool, offset, value }];
      }
      return [];
    });
  }

  #entriesOf(service: Service): (PoolEntry & { value: string })[] {
    const portEntries = [...nodePortsOf(service)].flatMap((port) => {
      const entry = this.#nodePorts.entryOf(port);
      return entry === undefined ? [] : [{ ...entry, value: String(port) }];
    });
    return [...this.#addressEntriesOf(service), ...portEntries];
  }
}

/** The node ports of a Service, each once: several protocols can share one. */
function nodePortsOf({ spec }: Service): Set<number> {
  const { ports = [], healthCheckNodePort = 0 } = spec ?? {};
  const numbers = new Set([...ports.map(({ nodePort = 0 }) => nodePort), healthCheckNodePort]);
  numbers.delete(0);
  return numbers;
}

async function reserveAddress(
  transaction: AllocationTransaction,
  range: AllocationRange,
  pool: NumberPool,
  address: string,
  requested: readonly string[],
): Promise<FieldError[]> {
  const offset = range.offsetOf(address);
  const allocationError = (problem: string): FieldError[] => [
    invalidFormatted(
      'spec.clusterIPs',
      formatGoStrings(requested),
      `failed to allocate IP ${address}: ${problem}`,
    ),
  ];
  if (offset === undefined)
    return allocationError(
      `the provided IP (${address}) is not in the valid range. The range of valid IPs is ${range.cidr}`,
    );
  // As in kube-apiserver, a dry run does not look whether an address is free.
  return transaction.isDryRun || (await transaction.reserve({ pool, offset }))
    ? []
    : allocationError('provided IP is already allocated');
}

async function allocateNextAddress(
  transaction: AllocationTransaction,
  range: AllocationRange,
  pool: NumberPool,
): Promise<string> {
  const offset = await transaction.allocateNext(pool, -1);
  if (offset === undefined) throw errors.internal('failed to allocate a serviceIP: range is full');
  return range.addressAt(offset);
}

/** @throws ApiError 422 unless the list is empty */
function throwIfInvalid(service: Service, list: readonly FieldError[]): void {
  if (list.length > 0)
    throw errors.invalid({ group: '', kind: 'Service' }, service.metadata?.name ?? '', list);
}

function byAge({ metadata: left }: Service, { metadata: right }: Service): number {
  const [a, b] = [left?.creationTimestamp ?? '', right?.creationTimestamp ?? ''];
  return a < b ? -1 : a > b ? 1 : 0;
}
