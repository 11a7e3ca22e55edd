import { quote } from '../../errors/quote.ts';
import type { GroupVersionKind, KubernetesObject } from '../../model/object.ts';
import { admitConnection } from '../../operations/admission.ts';
import type { RequestContext } from '../../request/context.ts';
import type { ServedResource } from '../../resources/served-resource.ts';
import { errors } from '../../status/index.ts';
import type { HandlerEnvironment } from '../environment.ts';

const BOOLEANS: readonly string[] = ['stdin', 'stdout', 'stderr', 'tty'];
const MAXIMUM_PORT = 65_535;

/**
 * Admits a connection: exec, attach, portforward and proxy. The object may not exist: admission comes first.
 * @returns the options of the connection
 * @throws ApiError
 */
export async function admitConnect(
  context: RequestContext,
  resource: ServedResource,
  { operations }: HandlerEnvironment,
): Promise<KubernetesObject> {
  const { info } = context;
  const { row } = resource;
  const { admission } = operations;
  const options = info.subresource === 'proxy' ? proxyOptions(context) : streamOptions(context);
  if (!admission.handles('CONNECT', info.group, info.resource, info.subresource)) {
    admission.passed?.('CONNECT', info.group, info.resource, info.subresource);
    return options;
  }
  const kind = row.subresources.find(({ name }) => name === info.subresource)!.kind;
  const version: GroupVersionKind = { group: row.group, version: row.version, kind };
  await admitConnection(
    {
      request: context,
      environment: operations,
      namespace: resource.namespaceOf(info.namespace),
      dryRun: false,
    },
    version,
    options,
  );
  return options;
}

/** The options of a proxied request: the path below the object, with the slash at its end. */
function proxyOptions({ info }: RequestContext): KubernetesObject {
  const joined = info.rest.join('/');
  const below = joined === '' || joined.startsWith('/') ? joined : `/${joined}`;
  const path = info.path.endsWith('/') && !below.endsWith('/') ? `${below}/` : below;
  return path === '' ? {} : { path };
}

/** The options of exec, attach and portforward, from the query. @throws ApiError 400 */
function streamOptions({ info, query }: RequestContext): KubernetesObject {
  if (info.subresource === 'portforward') {
    const ports = query.all('ports').flatMap((text) => text.split(',').map(portOf));
    return ports.length === 0 ? {} : { ports };
  }
  const options: KubernetesObject = {};
  for (const name of BOOLEANS) if (query.boolean(name)) options[name] = true;
  const container = query.get('container');
  if (container !== '') options.container = container;
  if (info.subresource === 'exec' && query.has('command')) options.command = [...query.all('command')];
  return options;
}

function portOf(text: string): number {
  const problem = !/^\d+$/.test(text)
    ? 'invalid syntax'
    : Number(text) > MAXIMUM_PORT
      ? 'value out of range'
      : undefined;
  if (problem !== undefined)
    throw errors.badRequest(
      `cannot convert to []int32: strconv.ParseUint: parsing ${quote(text)}: ${problem}`,
    );
  return Number(text);
}
