import { BinnacleError } from '../errors/binnacle-error.ts';
import type { Address } from './dialer.ts';

/** A port of a Service. */
export interface ServicePort {
  readonly name?: string;
  readonly port?: number;
}

/** What resolution reads of a Service. */
export interface ServiceObject {
  readonly spec?: {
    readonly type?: string;
    readonly clusterIP?: string;
    readonly ipFamilies?: readonly string[];
    readonly externalName?: string;
    readonly ports?: readonly ServicePort[];
  };
}

/** What resolution reads of an Endpoints object, or of the EndpointSlices of a Service: each is a subset. */
export interface EndpointsObject {
  readonly subsets?: readonly {
    /** Ready ones. */
    readonly addresses?: readonly { readonly ip?: string }[];
    readonly ports?: readonly ServicePort[];
    /** `IPv4` or `IPv6`; only EndpointSlices say it. */
    readonly family?: string | undefined;
  }[];
}

/** Reads Services and their endpoints; undefined for an absent one. */
export interface ServiceSource {
  /** The resource that the endpoints are read from. */
  readonly endpointsResource: 'endpoints' | 'endpointslices';
  service(namespace: string, name: string): ServiceObject | undefined | Promise<ServiceObject | undefined>;
  endpoints(
    namespace: string,
    name: string,
  ): EndpointsObject | undefined | Promise<EndpointsObject | undefined>;
}

/** Where connections to a Service go, and the name in its server's certificate. */
export interface ResolvedService extends Address {
  readonly serverName: string;
}

/** A Service has no address to connect to. */
export class ServiceResolutionError extends BinnacleError {
  override name = 'ServiceResolutionError';
  readonly code = 'ERR_BINNACLE_SERVICE_RESOLUTION';
  constructor(
    message: string,
    /** The Service or its Endpoints object does not exist. */
    readonly isNotFound = false,
  ) {
    super(message);
  }
}

/** Resolves a Service and its port. Rejects with ServiceResolutionError. */
export type ServiceResolver = (namespace: string, name: string, port: number) => Promise<ResolvedService>;

export interface ServiceResolverOptions {
  readonly source: ServiceSource;
  /**
   * Connects to a random ready endpoint, as `--enable-aggregator-routing` asks for; default: to the cluster
   * IP, which needs a service proxy on this machine.
   */
  readonly toEndpoints?: boolean;
  /** The address of this server: it serves `default/kubernetes`. */
  readonly self: () => Address;
  /** From 0 up to, not including, 1. */
  readonly random?: () => number;
}

/** The name of a Service in the certificate of its server. */
export const serviceServerName = (namespace: string, name: string): string => `${name}.${namespace}.svc`;

/** Creates the resolver of webhooks, converters and extension servers, with kube-apiserver's rules and texts. */
export function createServiceResolver(options: ServiceResolverOptions): ServiceResolver {
  const { source, self, toEndpoints = false, random = Math.random } = options;
  return async (namespace, name, port) => {
    const serverName = serviceServerName(namespace, name);
    if (namespace === 'default' && name === 'kubernetes') return { ...self(), serverName };
    const service = await source.service(namespace, name);
    if (service === undefined) throw notFound('service', name);
    const { type = 'ClusterIP', externalName = '', clusterIP = '' } = service.spec ?? {};
    if (type === 'ExternalName') return { host: externalName, port, serverName };
    if (type !== 'ClusterIP' && type !== 'NodePort' && type !== 'LoadBalancer')
      throw new ServiceResolutionError(`unsupported service type ${JSON.stringify(type)}`);
    if (!toEndpoints && type === 'ClusterIP' && clusterIP === 'None')
      throw new ServiceResolutionError('cannot route to service with ClusterIP "None"');
    const servicePort = service.spec?.ports?.find((candidate) => candidate.port === port);
    if (servicePort === undefined)
      throw new ServiceResolutionError(`no service port ${port} found for service ${JSON.stringify(name)}`);
    if (!toEndpoints) return { host: clusterIP, port, serverName };
    const endpoints = await source.endpoints(namespace, name);
    if (endpoints === undefined && source.endpointsResource === 'endpoints')
      throw notFound('endpoints', name);
    const parts = byFamily(endpoints?.subsets ?? [], service.spec?.ipFamilies?.[0]);
    const address =
      readyEndpoint(parts.preferred, servicePort.name ?? '', random) ??
      readyEndpoint(parts.others, servicePort.name ?? '', random);
    if (address === undefined)
      throw new ServiceResolutionError(`no endpoints available for service ${JSON.stringify(name)}`);
    return { ...address, serverName };
  };
}

const notFound = (resource: string, name: string): ServiceResolutionError =>
  new ServiceResolutionError(`${resource} ${JSON.stringify(name)} not found`, true);

type Subsets = NonNullable<EndpointsObject['subsets']>;

/** Splits subsets into those of the Service's first IP family, which are taken first, and the others. */
function byFamily(subsets: Subsets, preferred: string | undefined): { preferred: Subsets; others: Subsets } {
  const isPreferred = ({ family }: Subsets[number]): boolean =>
    family === undefined || preferred === undefined || family === preferred;
  return {
    preferred: subsets.filter(isPreferred),
    others: subsets.filter((subset) => !isPreferred(subset)),
  };
}

/** A random address of the first subset, from a random start, that has the port. */
function readyEndpoint(subsets: Subsets, portName: string, random: () => number): Address | undefined {
  const start = Math.floor(random() * subsets.length);
  for (let step = 0; step < subsets.length; step++) {
    const { addresses = [], ports = [] } = subsets[(start + step) % subsets.length]!;
    const port = ports.find(({ name = '' }) => name === portName);
    const address = addresses[Math.floor(random() * addresses.length)];
    if (port?.port !== undefined && address?.ip !== undefined) return { host: address.ip, port: port.port };
  }
  return undefined;
}
