import type { LogOptions, NodeAccess } from '../../kubelets/node-access.ts';
import { normalizeTime, TimeError } from '../../model/time.ts';
import { integerParameter } from '../../operations/integer-parameter.ts';
import type { RequestContext } from '../../request/context.ts';
import type { Query } from '../../request/query.ts';
import type { ServedResource } from '../../resources/served-resource.ts';
import { errors, type FieldError, forbidden, invalid } from '../../status/index.ts';
import type { HandlerEnvironment } from '../environment.ts';
import { containerOf, readPod } from './pod-container.ts';
import { readNode } from './pod-node.ts';

/** Handles GET of a pod's log: passes that of the kubelet on. A pod without a node has an empty one. */
export async function podLog(
  context: RequestContext,
  pods: ServedResource,
  environment: HandlerEnvironment,
  access: NodeAccess,
): Promise<void> {
  if (context.exchange.method !== 'GET') throw errors.methodNotAllowed();
  const { query, info } = context;
  const { options, problems } = readLogOptions(query);
  if (problems.length > 0) throw errors.invalid({ group: '', kind: 'PodLogOptions' }, info.name, problems);
  const pod = await readPod(context, pods);
  const container = containerOf(pod, query.get('container'), info.name);
  if (!pod.spec?.nodeName) {
    context.status = 204;
    context.exchange.respond(204, undefined, '');
    return;
  }
  const node = await readNode(pod.spec.nodeName, pods, environment);
  return access.log(context, node, { namespace: info.namespace, pod: info.name, container }, options);
}

/** @throws ApiError 400 */
function readTime(text: string): string | undefined {
  if (text === '' || text === 'null') return undefined;
  try {
    return normalizeTime(text) ?? undefined;
  } catch (error) {
    throw error instanceof TimeError ? errors.badRequest(error.message) : error;
  }
}

function readLogOptions(query: Query): { options: LogOptions; problems: FieldError[] } {
  const problems: FieldError[] = [];
  const sinceSeconds = integerParameter(query, 'sinceSeconds');
  const sinceTime = readTime(query.get('sinceTime'));
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
  const options = {
    follow: query.boolean('follow'),
    previous: query.boolean('previous'),
    timestamps: query.boolean('timestamps'),
    insecureSkipTlsVerify: query.boolean('insecureSkipTLSVerifyBackend'),
    sinceSeconds,
    sinceTime,
    tailLines,
    limitBytes,
  };
  return { options, problems };
}
