import type { MasterLeases } from './master-leases.ts';

/** How the addresses of the servers are found. */
export interface ServerAddresses {
  /** Announces this server, and returns the sorted addresses of all. @param published those of the Endpoints */
  announce(published: readonly string[]): Promise<readonly string[]>;
  /** This server ends: returns the addresses of the others, or undefined to leave the Endpoints as they are. */
  withdraw(): Promise<readonly string[] | undefined>;
}

/** The only server on its store. */
export const singleAddress = (address: string): ServerAddresses => ({
  announce: async () => [address],
  withdraw: async () => undefined,
});

/** Servers that renew a lease; those that are gone leave the list (`--endpoint-reconciler-type=lease`). */
export const leasedAddresses = (address: string, leases: MasterLeases): ServerAddresses => ({
  async announce() {
    await leases.renew(address);
    return leases.addresses();
  },
  async withdraw() {
    await leases.remove(address);
    return leases.addresses();
  },
});

/**
 * A fixed number of servers (`--endpoint-reconciler-type=master-count`): each adds its address. Addresses
 * above the count leave the list, first those before the own one.
 */
export const countedAddresses = (address: string, count: number): ServerAddresses => ({
  async announce(published) {
    const sorted = [...new Set([...published, address])].sort();
    if (sorted.length <= count) return sorted;
    const own = sorted.indexOf(address);
    return Array.from({ length: count }, (_, index) => sorted[(own + index) % sorted.length]!).sort();
  },
  withdraw: async () => undefined,
});
