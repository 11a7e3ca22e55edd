import { quote } from '../../errors/quote.ts';
import type { Endpoints, Pod, Service } from '../../model/generated/core-v1.ts';
import { normalizeTime, TimeError } from '../../model/time.ts';
import { integerParameter } from '../../operations/integer-parameter.ts';
import type { RequestContext } from '../../request/context.ts';
import type { Query } from '../../request/query.ts';
import type { ServedResource } from '../../resources/served-resource.ts';
import type { StoredResource } from '../../resources/stored-resource.ts';
import { type ApiError, errors, type FieldError, forbidden, invalid } from '../../status/index.ts';
import type { HandlerEnvironment } from '../environment.ts';
import { admitConnect } from './connection.ts';

const CONNECT_METHODS = new Set(['GET', 'POST']);

async function readPod({ info }: RequestContext, { stored, row }: ServedResource): Promise<Pod> {
  await stored.cache.waitFresh('latest');
  const record = stored.cache.get(stored.key(info.namespace, info.name));
  if (record === undefined) throw errors.notFound(row, info.name);
  return stored.decode(record) as Pod;
}

/**
 * Handles GET of a pod's log. There is no kubelet: an unscheduled pod has no log, the node of a scheduled one
 * is unreachable.
 */
export async function podLog(
  context: RequestContext,
  pods: ServedResource,
  environment: HandlerEnvironment,
): Promise<void> {
  if (context.exchange.method !== 'GET') throw errors.methodNotAllowed();
  const { query, info } = context;
  const problems = logOptionProblems(query);
  if (problems.length > 0) throw errors.invalid({ group: '', kind: 'PodLogOptions' }, info.name, problems);
  const pod = await readPod(context, pods);
  checkContainer(pod, query.get('container'), info.name);
  if (!pod.spec?.nodeName) {
    context.status = 204;
    context.exchange.respond(204, undefined, '');
    return;
  }
  throw await nodeUnreachable(pod.spec.nodeName, pods, environment);
}

const unreachable = (node: string) =>
  errors.serviceUnavailable(`the node ${quote(node)} cannot be reached: this server has no kubelets`);

/** The error for a connection to the kubelet of a node. An absent node is reported as a resource of the request. */
async function nodeUnreachable(
  name: string,
  pods: ServedResource,
  { resources }: HandlerEnvironment,
): Promise<ApiError> {
  const { stored } = resources.internal('', 'nodes');
  await stored.cache.waitFresh('latest');
  return stored.cache.get(stored.key('', name)) === undefined
    ? errors.notFound(pods.row, name)
    : unreachable(name);
}

function checkContainer({ spec }: Pod, wanted: string, pod: string): void {
  const names = [
    ...(spec?.initContainers ?? []),
    ...(spec?.containers ?? []),
    ...(spec?.ephemeralContainers ?? []),
  ].map(({ name }) => name ?? '');
  if (wanted !== '') {
    if (!names.includes(wanted)) throw errors.badRequest(`container ${wanted} is not valid for pod ${pod}`);
    return;
  }
  const count = spec?.containers?.length ?? 0;
  if (count === 1) return;
  const choice = count === 0 ? '' : `, choose one of: [${names.join(' ')}]`;
  throw errors.badRequest(`a container name must be specified for pod ${pod}${choice}`);
}

/** @throws ApiError 400 */
function checkTime(text: string): void {
  if (text === '' || text === 'null') return;
  try {
    normalizeTime(text);
  } catch (error) {
    throw error instanceof TimeError ? errors.badRequest(error.message) : error;
  }
}

function logOptionProblems(query: Query): FieldError[] {
  const problems: FieldError[] = [];
  const sinceSeconds = integerParameter(query, 'sinceSeconds');
  checkTime(query.get('sinceTime'));
  const tailLines = integerParameter(query, 'tailLines');
  const limitBytes = integerParameter(query, 'limitBytes');
  if (tailLines !== undefined && tailLines < 0)
    problems.push(invalid('tailLines', tailLines, 'must be greater than or equal to 0'));
  if (limitBytes !== undefined && limitBytes < 1)
    problems.push(invalid('limitBytes', limitBytes, 'must be greater than 0'));
  if (sinceSeconds !== undefined && query.has('sinceTime'))
    problems.push(forbidden('[]', 'at most one of `sinceTime` or `sinceSeconds` may be specified'));
  else if (sinceSeconds !== undefined && sinceSeconds < 1)
    problems.push(invalid('sinceSeconds', sinceSeconds, 'must be greater than 0'));
  if (query.has('stream')) problems.push(forbidden('stream', 'may not be specified'));
  return problems;
}

/** Handles exec, attach and portforward, which need the kubelet of the pod's node; there is none. */
export async function podConnect(
  context: RequestContext,
  pods: ServedResource,
  environment: HandlerEnvironment,
): Promise<void> {
  if (!CONNECT_METHODS.has(context.exchange.method)) throw errors.methodNotAllowed();
  await admitConnect(context, pods, environment);
  const pod = await readPod(context, pods);
  const { name, subresource } = context.info;
  if (subresource !== 'portforward') checkContainer(pod, context.query.get('container'), name);
  if (!pod.spec?.nodeName) throw errors.badRequest(`pod ${name} does not have a host assigned`);
  throw await nodeUnreachable(pod.spec.nodeName, pods, environment);
}

const PROXIED_METHODS: ReadonlySet<string> = new Set([
  'GET',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'HEAD',
  'OPTIONS',
]);

/** Handles the proxy of a pod, service or node; targets outside the server are unreachable. */
export async function proxyTarget(
  context: RequestContext,
  resource: ServedResource,
  endpoints: StoredResource,
  environment: HandlerEnvironment,
): Promise<void> {
  if (!PROXIED_METHODS.has(context.exchange.method)) throw errors.methodNotAllowed();
  await admitConnect(context, resource, environment);
  const { info } = context;
  const { stored, row } = resource;
  const target = targetOf(info.name);
  if (target === undefined) throw errors.badRequest(`invalid ${row.singular} request ${quote(info.name)}`);
  await stored.cache.waitFresh('latest');
  const record = stored.cache.get(stored.key(resource.namespaceOf(info.namespace), target.name));
  if (record === undefined) throw errors.notFound(row, target.name);
  if (row.resource === 'pods') throw errors.badRequest('address not allowed');
  if (row.resource !== 'services') throw unreachable(target.name);
  const service = stored.decode(record) as Service;
  await endpoints.cache.waitFresh('latest');
  const found = endpoints.cache.get(endpoints.key(info.namespace, target.name));
  throw serviceUnreachable(target, info.name, row, service, found && (endpoints.decode(found) as Endpoints));
}

interface Target {
  readonly name: string;
  readonly port: string;
}

/** Parses `name`, `name:port` or `scheme:name:port`; undefined if it is none of them. */
function targetOf(id: string): Target | undefined {
  const parts = id.split(':');
  const [scheme, name = '', port = ''] = parts.length < 3 ? ['', ...parts] : parts;
  const isValid = parts.length <= 3 && name !== '' && ['', 'http', 'https'].includes(scheme!);
  return isValid ? { name, port } : undefined;
}

/** Why no endpoint of a service can be reached: its port, its endpoints, or that none is a pod of this server. */
function serviceUnreachable(
  { name, port }: Target,
  id: string,
  row: ServedResource['row'],
  { spec }: Service,
  endpoints: Endpoints | undefined,
): ApiError {
  if (/^[+-]?\d+$/.test(port) && !spec?.ports?.some((one) => one.port === Number(port)))
    return errors.serviceUnavailable(`no service port ${Number(port)} found for service ${quote(name)}`);
  if (endpoints === undefined) return errors.notFound(row, name);
  const subject = (endpoints.subsets ?? []).length === 0 ? name : id;
  return errors.serviceUnavailable(`no endpoints available for service ${quote(subject)}`);
}
