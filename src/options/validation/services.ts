import { addressFamily } from '../../addresses/address.ts';
import type { AddressRange } from '../../addresses/ip-address.ts';
import { formatRange, parseRange } from '../../addresses/range.ts';
import { ConfigurationError } from '../../errors/configuration-error.ts';
import type { FeatureGates } from '../feature-gates.ts';
import type { FlagValues } from '../flags/table.ts';

const DEFAULT_RANGE = '10.0.0.0/24';
/** Host bits of the largest range whose allocations are stored in one bitmap. */
const LARGEST_BITMAP_BITS = 20;
/** Host bits of the largest range otherwise. */
const LARGEST_HOST_BITS = 64;
const SMALLEST_HOST_BITS = 3;

/**
 * Parses the service address ranges: the primary, and optionally a secondary of the other family.
 * @throws ConfigurationError for an invalid range
 */
export function readServiceRanges(text: string): AddressRange[] {
  const parts = text === '' ? [DEFAULT_RANGE] : text.split(',');
  return parts.slice(0, 2).map((part, index) => {
    const range = parseRange(part);
    if (range === undefined)
      throw new ConfigurationError(
        `service-cluster-ip-range[${index}] is not ${index === 0 ? 'a valid cidr' : 'an ip net'}`,
      );
    if (index === 0 && range.hostBits < SMALLEST_HOST_BITS) {
      throw new ConfigurationError(
        `error determining service IP ranges for primary service cidr: the service cluster IP range must be at least ${2 ** SMALLEST_HOST_BITS} IP addresses`,
      );
    }
    return range;
  });
}

/**
 * Whether ranges are as small as a bitmap of their addresses: unless the gates let kube-apiserver keep each address as
 * an object, and on etcd, where the servers of a cluster share a bitmap.
 */
export const hasAddressBitmap = (backend: string, { enabled }: Pick<FeatureGates, 'enabled'>): boolean =>
  backend === 'etcd3' || !enabled('MultiCIDRServiceAllocator') || !enabled('DisableAllocatorDualWrite');

/**
 * Validates service addresses and node ports.
 * @param hasBitmap see {@link hasAddressBitmap}
 */
export function validateServices(
  values: Pick<
    FlagValues,
    'endpointReconcilerType' | 'kubernetesServiceNodePort' | 'serviceClusterIpRange' | 'serviceNodePortRange'
  >,
  ranges: readonly AddressRange[],
  advertiseAddress: string,
  hasBitmap: boolean,
): string[] {
  const problems: string[] = [];
  const [primary, secondary] = ranges;
  if (values.serviceClusterIpRange.split(',').length > 2)
    problems.push('--service-cluster-ip-range must not contain more than two entries');
  const largest = hasBitmap ? LARGEST_BITMAP_BITS : LARGEST_HOST_BITS;
  ranges.forEach(({ prefix, hostBits }, index) => {
    if (hostBits > largest) {
      const bits = prefix + hostBits;
      problems.push(
        `specified --service-cluster-ip-range${index === 0 ? '' : '[1]'} is too large; for ${bits}-bit addresses, the mask must be >= ${bits - largest}`,
      );
    }
  });
  if (secondary !== undefined && primary!.address.family === secondary.address.family) {
    problems.push(
      '--service-cluster-ip-range[0] and --service-cluster-ip-range[1] must be of different IP family',
    );
  }
  const { first, last } = values.serviceNodePortRange;
  const nodePort = values.kubernetesServiceNodePort;
  if (nodePort < 0 || nodePort > 65_535) {
    problems.push(
      `--kubernetes-service-node-port ${nodePort} must be between 0 and 65535, inclusive. If 0, the Kubernetes master service will be of type ClusterIP`,
    );
  }
  if (nodePort > 0 && (nodePort < first || nodePort > last))
    problems.push(`kubernetes service node port range ${first}-${last} doesn't contain ${nodePort}`);
  if (
    values.endpointReconcilerType !== 'none' &&
    addressFamily(advertiseAddress) !== primary!.address.family
  ) {
    problems.push(
      `service IP family ${JSON.stringify(formatRange(primary!))} must match public address family ${JSON.stringify(advertiseAddress)}`,
    );
  }
  return problems;
}
