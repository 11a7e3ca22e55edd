import type { DeviceCounterConsumption } from '../../model/generated/resource-v1beta1.ts';
import {
  addQuantities,
  parseQuantity,
  type Quantity,
  quantitySign,
  subtractQuantities,
} from '../../model/quantity.ts';
import { deviceContent } from '../../reconcile/devices.ts';
import type { DevicePool, PooledDevice } from './pools.ts';

/**
 * The available amounts of the shared counters of a pool. Partitions of a physical device consume the same counters:
 * a device can be allocated if no counter becomes negative.
 */
export class SharedCounters {
  readonly #left = new Map<string, Quantity>();

  /** @param isTaken whether another claim has the device, and so its share */
  constructor({ counters, partitions }: DevicePool, isTaken: (device: PooledDevice) => boolean) {
    for (const { name: set = '', counters: values = {} } of counters)
      for (const [name, { value = '0' }] of Object.entries(values))
        this.#left.set(counterKey(set, name), parseQuantity(value));
    for (const device of partitions) if (isTaken(device)) this.#consume(device);
  }

  /** Takes the share of a device. @returns false if there is too little left; then nothing is taken */
  take(device: PooledDevice): boolean {
    this.#consume(device);
    const isEnough = sharesOf(device).every(([key]) => {
      const left = this.#left.get(key);
      return left === undefined || quantitySign(left) >= 0;
    });
    if (!isEnough) this.giveBack(device);
    return isEnough;
  }

  giveBack(device: PooledDevice): void {
    this.#change(device, addQuantities);
  }

  #consume(device: PooledDevice): void {
    this.#change(device, subtractQuantities);
  }

  /** A counter that no slice of the pool declares is not limited. */
  #change(device: PooledDevice, change: (left: Quantity, share: Quantity) => Quantity): void {
    for (const [key, share] of sharesOf(device)) {
      const left = this.#left.get(key);
      if (left !== undefined) this.#left.set(key, change(left, share));
    }
  }
}

const counterKey = (set: string, counter: string): string => JSON.stringify([set, counter]);

const shares = new WeakMap<readonly DeviceCounterConsumption[], readonly (readonly [string, Quantity])[]>();

/** The amounts that a device takes of counters. */
function sharesOf({ device }: PooledDevice): readonly (readonly [key: string, share: Quantity])[] {
  const { consumesCounters = NONE } = deviceContent(device);
  let parsed = shares.get(consumesCounters);
  if (parsed === undefined) {
    parsed = consumesCounters.flatMap(({ counterSet = '', counters = {} }) =>
      Object.entries(counters).map(
        ([name, { value = '0' }]) => [counterKey(counterSet, name), parseQuantity(value)] as const,
      ),
    );
    shares.set(consumesCounters, parsed);
  }
  return parsed;
}
const NONE: readonly DeviceCounterConsumption[] = [];
