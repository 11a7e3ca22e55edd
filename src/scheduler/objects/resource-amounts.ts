import { amountOf, wholeAmount } from '../../reconcile/amounts.ts';

/** Amounts of resources as the reference sums them: whole thousandths of CPUs, bytes, devices. */
export interface ResourceAmounts {
  milliCpu: number;
  memory: number;
  ephemeralStorage: number;
  /** Extended resources, huge pages and attachable volumes by name. */
  scalars: Map<string, number> | undefined;
}

export const noAmounts = (): ResourceAmounts => ({
  milliCpu: 0,
  memory: 0,
  ephemeralStorage: 0,
  scalars: undefined,
});

/**
 * Whether a resource is counted by its name: extended resources, huge pages, attachable volumes. Others that are not
 * known, such as `storage`, are not scheduled.
 */
export function isScalarResource(name: string): boolean {
  if (name.startsWith('hugepages-') || name.startsWith('attachable-volumes-')) return true;
  if (!name.includes('/')) return false;
  return name.includes('kubernetes.io/') || !name.startsWith('requests.');
}

/** The amounts of a list of resources, each rounded up. @param list quantities by resource name */
export function resourceAmounts(list: Iterable<readonly [name: string, amount: number]>): ResourceAmounts {
  const amounts = noAmounts();
  for (const [name, amount] of list) setAmount(amounts, name, wholeAmount(amount));
  return amounts;
}

function setAmount(amounts: ResourceAmounts, name: string, amount: number): void {
  if (name === 'cpu') amounts.milliCpu = amount;
  else if (name === 'memory') amounts.memory = amount;
  else if (name === 'ephemeral-storage') amounts.ephemeralStorage = amount;
  else if (isScalarResource(name)) {
    amounts.scalars ??= new Map();
    amounts.scalars.set(name, amount);
  }
}

/** Adds amounts `times` times; -1 takes them away. */
export function addAmounts(sum: ResourceAmounts, added: ResourceAmounts, times: 1 | -1): void {
  sum.milliCpu += times * added.milliCpu;
  sum.memory += times * added.memory;
  sum.ephemeralStorage += times * added.ephemeralStorage;
  if (added.scalars === undefined) return;
  sum.scalars ??= new Map();
  for (const [name, amount] of added.scalars) {
    const next = (sum.scalars.get(name) ?? 0) + times * amount;
    if (next === 0) sum.scalars.delete(name);
    else sum.scalars.set(name, next);
  }
}

/** Whether sums of these amounts are exact. */
export function areExact({ milliCpu, memory, ephemeralStorage, scalars }: ResourceAmounts): boolean {
  return [milliCpu, memory, ephemeralStorage, ...(scalars?.values() ?? [])].every(Number.isSafeInteger);
}

/** Quantities of a resource list as numbers. */
export function* quantities(
  list: Readonly<Record<string, string>> | undefined,
): Generator<readonly [name: string, amount: number], void> {
  for (const [name, text] of Object.entries(list ?? {})) yield [name, amountOf(name, text)];
}
