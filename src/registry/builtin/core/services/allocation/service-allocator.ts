import type { Service } from '../../../../../model/generated/core-v1.ts';
import { errors } from '../../../../../status/errors.ts';
import { type FieldError, forbidden } from '../../../../../status/field-error.ts';
import type { Allocation } from '../../../../strategy.ts';
import type { AddressFamily } from '../../../../validation/address-values.ts';
import { formatGoStrings, invalidFormatted } from '../../../../validation/shown.ts';
import { decideFamilies } from '../service-families.ts';
import { HEADLESS, isExternalName, needsHealthCheckPort } from '../service-rules.ts';
import { type AddressRange, addressBand, portBand } from './address-range.ts';
import { allocateNodePorts } from './node-port-allocation.ts';
import { NodePorts } from './node-ports.ts';
import { MemoryNumberPool, type NumberPool } from './number-pool.ts';
import { AllocationTransaction, type Place } from './transaction.ts';

export interface ServiceAllocatorOptions {
  /** One range, or one of each family; the first one's family is the default. */
  readonly addressRanges: readonly AddressRange[];
  /** First and last node port. */
  readonly nodePorts: { readonly first: number; readonly last: number };
  /** 0 ≤ value < 1. */
  readonly random: () => number;
  /** Pool of a range of `size` places; default: in memory. */
  readonly createPool?: (size: number, band: number) => NumberPool;
}

/** Two stored Services hold one address or port; `service` is the younger one. */
export interface AllocationConflict {
  readonly service: string;
  readonly holder: string;
  readonly value: string;
}

/** Cluster addresses, node ports and health check ports of Services: no two Services get the same. */
export class ServiceAllocator {
  readonly families: readonly AddressFamily[];
  readonly #ranges: ReadonlyMap<AddressFamily, { readonly range: AddressRange; readonly pool: NumberPool }>;
  readonly #nodePorts: NodePorts;

  constructor({ addressRanges, nodePorts: { first, last }, random, createPool }: ServiceAllocatorOptions) {
    const create = createPool ?? ((size, band) => new MemoryNumberPool(size, band, random));
    this.families = addressRanges.map(({ family }) => family);
    this.#ranges = new Map(
      addressRanges.map((range) => [
        range.family,
        { range, pool: create(range.size, addressBand(range.size)) },
      ]),
    );
    this.#nodePorts = new NodePorts(first, last, create(last - first + 1, portBand(last - first + 1)));
  }

  /**
   * Writes families, addresses and ports into `service`, after defaulting and `prepareForCreate/Update`,
   * before validation.
   * @throws ApiError 422 for a request that cannot be met, 500 when a range is used up
   */
  async allocate(
    service: Service,
    old: Service | undefined,
    dryRun: boolean,
  ): Promise<Allocation | undefined> {
    const transaction = new AllocationTransaction(dryRun);
    try {
      refuse(service, decideFamilies(service, old, this.families));
      await this.#allocateAddresses(transaction, service, old);
      refuse(service, await allocateNodePorts(transaction, this.#nodePorts, service, old));
      await this.#allocateHealthCheckPort(transaction, service, old);
    } catch (error) {
      await transaction.rollback();
      throw error;
    }
    return transaction.isEmpty ? undefined : transaction;
  }

  /** Gives back what a deleted Service held. */
  async release(service: Service): Promise<void> {
    for (const { pool, place } of this.#placesOf(service)) await pool.release(place);
  }

  /**
   * Records what stored Services hold, at start. Conflicts stay as they are: both keep their value, nobody
   * else gets it.
   */
  async restore(services: readonly Service[]): Promise<AllocationConflict[]> {
    const holders = new Map<NumberPool, Map<number, string>>();
    const conflicts: AllocationConflict[] = [];
    for (const service of [...services].sort(byAge)) {
      const name = `${service.metadata?.namespace ?? ''}/${service.metadata?.name ?? ''}`;
      for (const { pool, place, value } of this.#placesOf(service)) {
        const known = holders.get(pool) ?? new Map<number, string>();
        holders.set(pool, known);
        const holder = known.get(place);
        if (holder === undefined) known.set(place, name);
        else conflicts.push({ service: name, holder, value });
        await pool.markAllocated(place);
      }
    }
    return conflicts;
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
        for (const place of this.#addressPlacesOf(old)) transaction.releaseOnCommit(place);
      const [before, now] = [old.spec?.ipFamilies?.length ?? 0, spec.ipFamilies?.length ?? 0];
      if (before === 1 && now === 2 && spec.clusterIPs?.[0] !== HEADLESS)
        await this.#allocateFrom(transaction, service, 1);
      if (before === 2 && now === 1)
        for (const place of this.#addressPlacesOf(old).slice(1)) transaction.releaseOnCommit(place);
    } else if (!isExternalName(service) && spec.clusterIP !== HEADLESS) {
      await this.#allocateFrom(transaction, service, 0);
      if (spec.clusterIPs?.[0] !== undefined) [spec.clusterIP] = spec.clusterIPs;
    }
  }

  /** Addresses of the families from `start` on: as asked for, or any. */
  async #allocateFrom(transaction: AllocationTransaction, service: Service, start: number): Promise<void> {
    const { spec } = service;
    const asked = spec?.clusterIPs ?? [];
    const given = [...asked];
    for (const [index, family] of (spec?.ipFamilies ?? []).entries()) {
      if (index < start) continue;
      // Families were decided against the configured ranges.
      const { range, pool } = this.#ranges.get(family as AddressFamily)!;
      const address = asked[index] ?? '';
      if (address !== '') refuse(service, await reserveAddress(transaction, range, pool, address, asked));
      else given[index] = await drawAddress(transaction, range, pool);
    }
    if (given.length > 0) spec!.clusterIPs = given;
  }

  async #allocateHealthCheckPort(
    transaction: AllocationTransaction,
    service: Service,
    old: Service | undefined,
  ): Promise<void> {
    const { spec = {} } = service;
    const before = old !== undefined && needsHealthCheckPort(old) ? (old.spec?.healthCheckNodePort ?? 0) : 0;
    if (needsHealthCheckPort(service)) {
      const asked = spec.healthCheckNodePort ?? 0;
      if (before !== 0 && asked !== before) {
        refuse(service, [forbidden('spec.healthCheckNodePort', 'field is immutable')]);
      }
      if (before !== 0) return;
      if (asked === 0) spec.healthCheckNodePort = await this.#nodePorts.draw(transaction);
      else {
        const problem = await this.#nodePorts.reserve(transaction, asked);
        if (problem !== undefined)
          throw errors.internal(`failed to allocate requested HealthCheck NodePort ${asked}: ${problem}`);
      }
    } else if (before !== 0) {
      const place = this.#nodePorts.placeOf(before);
      if (place !== undefined) transaction.releaseOnCommit(place);
    }
  }

  #addressPlacesOf({ spec }: Service): (Place & { value: string })[] {
    return (spec?.clusterIPs ?? []).flatMap((value) => {
      for (const { range, pool } of this.#ranges.values()) {
        const place = range.placeOf(value);
        if (place !== undefined) return [{ pool, place, value }];
      }
      return [];
    });
  }

  #placesOf(service: Service): (Place & { value: string })[] {
    const { ports = [], healthCheckNodePort = 0 } = service.spec ?? {};
    // One number may serve several protocols of a Service; it is held once.
    const numbers = new Set([...ports.map(({ nodePort = 0 }) => nodePort), healthCheckNodePort]);
    const portPlaces = [...numbers].flatMap((port) => {
      const place = this.#nodePorts.placeOf(port);
      return place === undefined ? [] : [{ ...place, value: String(port) }];
    });
    return [...this.#addressPlacesOf(service), ...portPlaces];
  }
}

async function reserveAddress(
  transaction: AllocationTransaction,
  range: AddressRange,
  pool: NumberPool,
  address: string,
  asked: readonly string[],
): Promise<FieldError[]> {
  const place = range.placeOf(address);
  const wrong = (problem: string): FieldError[] => [
    invalidFormatted(
      'spec.clusterIPs',
      formatGoStrings(asked),
      `failed to allocate IP ${address}: ${problem}`,
    ),
  ];
  if (place === undefined)
    return wrong(
      `the provided IP (${address}) is not in the valid range. The range of valid IPs is ${range.cidr}`,
    );
  return (await transaction.reserve({ pool, place })) ? [] : wrong('provided IP is already allocated');
}

async function drawAddress(
  transaction: AllocationTransaction,
  range: AddressRange,
  pool: NumberPool,
): Promise<string> {
  const place = await transaction.draw(pool, -1);
  if (place === undefined) throw errors.internal('failed to allocate a serviceIP: range is full');
  return range.addressAt(place);
}

function refuse(service: Service, list: readonly FieldError[]): void {
  if (list.length > 0)
    throw errors.invalid({ group: '', kind: 'Service' }, service.metadata?.name ?? '', list);
}

function byAge({ metadata: left }: Service, { metadata: right }: Service): number {
  const [a, b] = [left?.creationTimestamp ?? '', right?.creationTimestamp ?? ''];
  return a < b ? -1 : a > b ? 1 : 0;
}
