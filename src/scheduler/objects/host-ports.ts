import type { PodSpec } from '../../model/generated/core-v1.ts';

/** A port of the node that a pod occupies. */
export interface HostPort {
  /** The address of the node; {@link ANY_ADDRESS} for all of them. */
  readonly address: string;
  /** Protocol and number. */
  readonly port: string;
}

export const ANY_ADDRESS = '0.0.0.0';

const NONE: readonly HostPort[] = [];

/** The ports that the containers of a pod occupy on its node. */
export function hostPortsOf({ containers = [] }: PodSpec): readonly HostPort[] {
  let found: HostPort[] | undefined;
  for (const { ports = [] } of containers)
    for (const { hostPort = 0, protocol, hostIP } of ports) {
      if (hostPort <= 0) continue;
      found ??= [];
      found.push({ address: hostIP || ANY_ADDRESS, port: `${protocol || 'TCP'}/${hostPort}` });
    }
  return found ?? NONE;
}

/** The occupied ports of a node. */
export class UsedPorts {
  /** How many pods use a port, by port and address. */
  readonly #ports = new Map<string, Map<string, number>>();

  change({ address, port }: HostPort, delta: 1 | -1): void {
    const addresses = this.#ports.get(port) ?? new Map<string, number>();
    const count = (addresses.get(address) ?? 0) + delta;
    if (count > 0) addresses.set(address, count);
    else addresses.delete(address);
    if (addresses.size > 0) this.#ports.set(port, addresses);
    else this.#ports.delete(port);
  }

  /** Whether a port is occupied: a port of all addresses conflicts with that of any. */
  conflicts({ address, port }: HostPort): boolean {
    const addresses = this.#ports.get(port);
    if (addresses === undefined) return false;
    return address === ANY_ADDRESS || addresses.has(ANY_ADDRESS) || addresses.has(address);
  }
}
