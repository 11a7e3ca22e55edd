import type { Service, ServiceSpec } from '../../../src/model/generated/core-v1.ts';
import { type PodSummary, summarize } from '../../../src/reconcile/pods/pod-summary.ts';
import { type PodOptions, pod } from '../../reconcile/pods/pods.ts';

export interface EndpointPodOptions extends PodOptions {
  readonly addresses?: readonly string[];
  readonly hostname?: string;
  readonly subdomain?: string;
  /** Ports by their name. */
  readonly ports?: Readonly<Record<string, number>>;
  readonly sidecarPorts?: Readonly<Record<string, number>>;
}

const portsOf = (ports: Readonly<Record<string, number>> = {}) =>
  Object.entries(ports).map(([name, containerPort]) => ({ name, containerPort }));

/** A ready Pod with an address, as Services see it. */
export function endpointPod(name: string, options: EndpointPodOptions = {}): PodSummary {
  const { addresses = ['10.0.0.1'], hostname = '', subdomain = '', ports, sidecarPorts } = options;
  const base = pod(name, { ready: 10, ...options });
  return summarize({
    ...base,
    spec: {
      ...base.spec,
      hostname,
      subdomain,
      containers: [{ name: 'main', ports: portsOf(ports) }],
      initContainers: [
        { name: 'side', restartPolicy: 'Always', ports: portsOf(sidecarPorts) },
        { name: 'init' },
      ],
    },
    status: { ...base.status, podIPs: addresses.map((ip) => ({ ip })) },
  });
}

/** A Service with one port. */
export const service = (spec: Partial<ServiceSpec> = {}, metadata: Service['metadata'] = {}): Service => ({
  metadata: { namespace: 'ns', name: 'web', uid: 'service', ...metadata },
  spec: {
    clusterIP: '10.1.0.1',
    ipFamilies: ['IPv4'],
    selector: { app: 'web' },
    ports: [{ port: 80, protocol: 'TCP', targetPort: 8080 }],
    ...spec,
  },
});
