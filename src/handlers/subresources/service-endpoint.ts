import type { EndpointSubset, Pod } from '../../model/generated/core-v1.ts';
import type { EndpointSlice } from '../../model/generated/discovery-v1.ts';

/** Where a service leads. */
export interface ServiceEndpoint {
  readonly host: string;
  readonly port: number;
  readonly pod: Pod;
}

/**
 * A ready address of a service, from a random one on, that is the address of the pod that it refers to: others lead
 * where nobody may see.
 * @param portName empty: the port without a name
 */
export function findEndpoint(
  subsets: readonly EndpointSubset[],
  portName: string,
  namespace: string,
  podOf: (name: string) => Pod | undefined,
  random = Math.random,
): ServiceEndpoint | undefined {
  for (const { addresses = [], ports = [] } of fromRandom(subsets, random)) {
    const port = ports.find(({ name = '' }) => name === portName)?.port;
    if (port === undefined) continue;
    for (const { ip = '', targetRef } of fromRandom(addresses, random)) {
      if (targetRef?.namespace !== namespace) continue;
      const pod = podOf(targetRef.name ?? '');
      if (pod?.status?.podIPs?.some((one) => one.ip === ip)) return { host: ip, port, pod };
    }
  }
  return undefined;
}

/**
 * The ready endpoints of slices by their first addresses: those of a family, which are asked first, and the others.
 * Ports without a name are left out.
 */
export function subsetsOf(
  slices: readonly EndpointSlice[],
  family: string | undefined,
): { readonly preferred: readonly EndpointSubset[]; readonly others: readonly EndpointSubset[] } {
  const subsets = (all: readonly EndpointSlice[]): EndpointSubset[] => all.map(subsetOf);
  return {
    preferred: subsets(slices.filter(({ addressType }) => addressType === family)),
    others: subsets(slices.filter(({ addressType }) => addressType !== family)),
  };
}

const subsetOf = ({ endpoints = [], ports = [] }: EndpointSlice): EndpointSubset => ({
  addresses: endpoints
    .filter(({ conditions }) => conditions?.ready !== false)
    .map(({ addresses, targetRef }) => ({
      ip: addresses?.[0] ?? '',
      ...(targetRef === undefined ? {} : { targetRef }),
    })),
  ports: ports.flatMap(({ name, port }) =>
    name === undefined || port === undefined ? [] : [{ name, port }],
  ),
});

function* fromRandom<Item>(items: readonly Item[], random: () => number): Generator<Item, void> {
  const start = Math.floor(random() * items.length);
  for (let step = 0; step < items.length; step += 1) yield items[(start + step) % items.length]!;
}
