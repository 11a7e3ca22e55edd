import type { NodeAccess } from '../../kubelets/node-access.ts';
import type { RequestContext } from '../../request/context.ts';
import type { ServedResource } from '../../resources/served-resource.ts';
import { errors } from '../../status/index.ts';
import type { HandlerEnvironment } from '../environment.ts';
import { admitConnect } from './connection.ts';
import { containerOf, readPod } from './pod-container.ts';
import { readNode } from './pod-node.ts';

const CONNECT_METHODS = new Set(['GET', 'POST']);

/** Handles exec, attach and portforward: connects the client with the kubelet of the pod's node. */
export async function podConnect(
  context: RequestContext,
  pods: ServedResource,
  environment: HandlerEnvironment,
  access: NodeAccess,
): Promise<void> {
  if (!CONNECT_METHODS.has(context.exchange.method)) throw errors.methodNotAllowed();
  const options = await admitConnect(context, pods, environment);
  const pod = await readPod(context, pods);
  const { name, namespace, subresource } = context.info;
  const container =
    subresource === 'portforward' ? undefined : containerOf(pod, context.query.get('container'), name);
  if (!pod.spec?.nodeName) throw errors.badRequest(`pod ${name} does not have a host assigned`);
  const node = await readNode(pod.spec.nodeName, pods, environment);
  if (container === undefined) return access.portForward(context, node, { namespace, pod: name }, options);
  return access.command(context, node, subresource, { namespace, pod: name, container }, options);
}
