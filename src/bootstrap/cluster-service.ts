import type { KubernetesObject, ObjectMeta } from '../model/object.ts';

export interface ClusterService {
  /** First address of the service range: the cluster IP of `kubernetes.default`. */
  readonly clusterIP: string;
  readonly family: 'IPv4' | 'IPv6';
  /** Address at which clients reach the server. */
  readonly advertiseAddress: string;
  readonly port: number;
  /** Port of the Service on every node; 0 for none. */
  readonly nodePort: number;
}

const metadata = (labels: Record<string, string>): ObjectMeta => ({
  name: 'kubernetes',
  namespace: 'default',
  labels,
});

/** The `kubernetes` service, through which pods reach the server, as it is sent to the API. */
export function kubernetesService({ clusterIP, port, nodePort }: ClusterService): KubernetesObject {
  return {
    metadata: metadata({ component: 'apiserver', provider: 'kubernetes' }),
    spec: {
      type: nodePort === 0 ? 'ClusterIP' : 'NodePort',
      clusterIP,
      ipFamilyPolicy: 'SingleStack',
      internalTrafficPolicy: 'Cluster',
      sessionAffinity: 'None',
      ports: [
        {
          name: 'https',
          protocol: 'TCP',
          port: 443,
          targetPort: port,
          ...(nodePort === 0 ? {} : { nodePort }),
        },
      ],
      ...(nodePort === 0 ? {} : { externalTrafficPolicy: 'Cluster' }),
    },
  };
}

/** What the allocation of addresses adds to the specification of the `kubernetes` service. */
export const kubernetesAddresses = ({ clusterIP, family }: ClusterService): object => ({
  clusterIPs: [clusterIP],
  ipFamilies: [family],
});

/** @param addresses of all servers, sorted */
export function kubernetesEndpoints(
  { advertiseAddress, port }: ClusterService,
  addresses: readonly string[] = [advertiseAddress],
): KubernetesObject {
  return {
    metadata: metadata({ 'endpointslice.kubernetes.io/skip-mirror': 'true' }),
    subsets:
      addresses.length === 0
        ? []
        : [
            {
              addresses: addresses.map((ip) => ({ ip })),
              ports: [{ name: 'https', port, protocol: 'TCP' }],
            },
          ],
  };
}

/** @param addresses of all servers, sorted */
export function kubernetesEndpointSlice(
  { advertiseAddress, port }: ClusterService,
  addresses: readonly string[] = [advertiseAddress],
): KubernetesObject {
  return {
    metadata: metadata({ 'kubernetes.io/service-name': 'kubernetes' }),
    addressType: advertiseAddress.includes(':') ? 'IPv6' : 'IPv4',
    endpoints: addresses.map((address) => ({ addresses: [address], conditions: { ready: true } })),
    ports: [{ name: 'https', port, protocol: 'TCP' }],
  };
}
