import { parseAddressSloppy } from '../../addresses/address.ts';
import { isGlobalUnicast } from '../../addresses/special.ts';
import { quote } from '../../errors/quote.ts';
import type { NodeAccess } from '../../kubelets/node-access.ts';
import type { EndpointSubset, Endpoints, Node, Pod, Service } from '../../model/generated/core-v1.ts';
import type { EndpointSlice } from '../../model/generated/discovery-v1.ts';
import type { Life } from '../../model/life.ts';
import { SERVICE_NAME_LABEL } from '../../model/service-labels.ts';
import type { RequestContext } from '../../request/context.ts';
import type { ServedResource } from '../../resources/served-resource.ts';
import { type ApiError, errors } from '../../status/index.ts';
import { prefixEnd } from '../../storage/storage.ts';
import type { HandlerEnvironment } from '../environment.ts';
import { admitConnect } from './connection.ts';
import { findEndpoint, type ServiceEndpoint, subsetsOf } from './service-endpoint.ts';

const PROXIED_METHODS: ReadonlySet<string> = new Set([
  'GET',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'HEAD',
  'OPTIONS',
]);

interface Target {
  /** Empty: not given. */
  readonly scheme: string;
  readonly name: string;
  readonly port: string;
}

/** Handles the proxy of a node, pod or service. */
export async function proxyTarget(
  context: RequestContext,
  resource: ServedResource,
  environment: HandlerEnvironment,
  access: NodeAccess,
): Promise<void> {
  if (!PROXIED_METHODS.has(context.exchange.method)) throw errors.methodNotAllowed();
  const { path = '' } = (await admitConnect(context, resource, environment)) as { readonly path?: string };
  const { info } = context;
  const { stored, row } = resource;
  const target = targetOf(info.name);
  if (target === undefined) throw errors.badRequest(`invalid ${row.singular} request ${quote(info.name)}`);
  await stored.cache.waitFresh('latest');
  const record = stored.cache.get(stored.key(resource.namespaceOf(info.namespace), target.name));
  if (record === undefined) throw errors.notFound(row, target.name);
  const object = stored.decode(record);
  if (row.resource === 'nodes') return access.proxyNode(context, object as Node, target, path);
  if (row.resource === 'pods') {
    const pod = object as Pod;
    return access.proxyPod(context, pod, { ...target, ...podAddress(pod, target) }, path);
  }
  const { pod, ...address } = await serviceAddress(context, target, object as Service, resource, environment);
  return access.proxyPod(context, pod, { ...target, ...address }, path);
}

/** Parses `name`, `name:port` or `scheme:name:port`; undefined if it is none of them. */
function targetOf(id: string): Target | undefined {
  const parts = id.split(':');
  const [scheme = '', name = '', port = ''] = parts.length < 3 ? ['', ...parts] : parts;
  const isValid = parts.length <= 3 && name !== '' && ['', 'http', 'https'].includes(scheme);
  return isValid ? { scheme, name, port } : undefined;
}

interface PodAddress {
  readonly host: string;
  /** Empty: that of the scheme. */
  readonly port: string;
}

/** The address of a pod, and the first port that it names unless one is given. @throws ApiError 400 */
function podAddress({ spec, status }: Pod, { port }: Target): PodAddress {
  const host = status?.podIPs?.[0]?.ip ?? '';
  const address = parseAddressSloppy(host);
  if (address === undefined || !isGlobalUnicast(address)) throw errors.badRequest('address not allowed');
  const named = spec?.containers?.find(({ ports = [] }) => ports.length > 0)?.ports?.[0]?.containerPort;
  return { host, port: port === '' && named !== undefined ? String(named) : port };
}

/** A pod behind a service that has the port. @throws ApiError */
async function serviceAddress(
  { info }: RequestContext,
  { name, port }: Target,
  { spec }: Service,
  { row }: ServedResource,
  { resources }: HandlerEnvironment,
): Promise<PodAddress & { readonly pod: Pod }> {
  let portName = port;
  if (/^[+-]?\d+$/.test(port)) {
    const found = spec?.ports?.find((one) => one.port === Number(port));
    if (found === undefined)
      throw errors.serviceUnavailable(`no service port ${Number(port)} found for service ${quote(name)}`);
    portName = found.name ?? '';
  }
  const readsSlices = resources.scheme.has(READS_SLICES);
  const candidates = readsSlices
    ? await candidatesOfSlices(resources, info.namespace, name, spec?.ipFamilies?.[0])
    : [await subsetsOfService(resources, info.namespace, name, row)];
  const { stored: pods } = resources.internal('', 'pods');
  await pods.cache.waitFresh('latest');
  const podOf = (podName: string): Pod | undefined => {
    const pod = pods.cache.get(pods.key(info.namespace, podName));
    return pod && (pods.decode(pod) as Pod);
  };
  let found: ServiceEndpoint | undefined;
  for (const subsets of candidates) found ??= findEndpoint(subsets, portName, info.namespace, podOf);
  if (found === undefined) throw unavailable(readsSlices ? name : info.name);
  return { host: found.host, port: String(found.port), pod: found.pod };
}

/** The releases in which the proxy of a service reads EndpointSlices, not Endpoints. */
const READS_SLICES: Life = { since: '1.37' };

const unavailable = (service: string): ApiError =>
  errors.serviceUnavailable(`no endpoints available for service ${quote(service)}`);

/** The subsets of the Endpoints of a service. @throws ApiError 404, 503 if there are none */
async function subsetsOfService(
  resources: HandlerEnvironment['resources'],
  namespace: string,
  name: string,
  row: ServedResource['row'],
): Promise<readonly EndpointSubset[]> {
  const { stored } = resources.internal('', 'endpoints');
  await stored.cache.waitFresh('latest');
  const record = stored.cache.get(stored.key(namespace, name));
  if (record === undefined) throw errors.notFound(row, name);
  const { subsets = [] } = stored.decode(record) as Endpoints;
  if (subsets.length === 0) throw unavailable(name);
  return subsets;
}

/** The endpoints of the slices of a service, those of a family first. */
async function candidatesOfSlices(
  resources: HandlerEnvironment['resources'],
  namespace: string,
  name: string,
  family: string | undefined,
): Promise<(readonly EndpointSubset[])[]> {
  const { stored } = resources.internal('discovery.k8s.io', 'endpointslices');
  await stored.cache.waitFresh('latest');
  const slices: EndpointSlice[] = [];
  const start = stored.scope(namespace);
  stored.cache.current().scan(start, prefixEnd(start), (record) => {
    if (record.header.labels?.[SERVICE_NAME_LABEL] === name)
      slices.push(stored.decode(record) as EndpointSlice);
    return undefined;
  });
  const { preferred, others } = subsetsOf(slices, family);
  return [preferred, others];
}
