import { parseAddress } from '../../addresses/address.ts';
import { isLoopback } from '../../addresses/special.ts';
import type { FlagValues } from '../flags/table.ts';
import { storageBackend } from './storage.ts';

/** Validates the options of further clusters and of faults. */
export function validateClusters(values: FlagValues): string[] {
  return [...storeProblems(values), ...faultProblems(values)];
}

function storeProblems(values: FlagValues): string[] {
  if (!values.clusters || values.ephemeral) return [];
  const backend = storageBackend(values.storageBackend, values.etcdServers);
  if (backend === 'memory') return [];
  const place = backend === 'embedded' ? 'in a data directory' : 'in etcd';
  return [
    `--clusters needs objects in memory, and this server keeps them ${place}: use --ephemeral or --storage-backend=memory`,
  ];
}

function faultProblems({ faults, faultsFile, faultsOnAnyAddress, bindAddress }: FlagValues): string[] {
  if (!faults)
    return faultsFile === '' && !faultsOnAnyAddress
      ? []
      : ['--faults-file and --faults-on-any-address need --faults'];
  const address = parseAddress(bindAddress);
  const isLocal = address !== undefined && isLoopback(address);
  return isLocal || faultsOnAnyAddress
    ? []
    : [
        `--faults is refused on ${bindAddress}, which other machines may reach: bind to 127.0.0.1, or add --faults-on-any-address`,
      ];
}
