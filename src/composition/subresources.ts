import type { TokenRequestOptions } from '../authentication/service-account/index.ts';
import type { HandlerEnvironment } from '../handlers/environment.ts';
import { bindPod } from '../handlers/subresources/binding.ts';
import { evictPod } from '../handlers/subresources/eviction.ts';
import { proxyTarget } from '../handlers/subresources/object-proxy.ts';
import { podConnect } from '../handlers/subresources/pod-connect.ts';
import { podLog } from '../handlers/subresources/pod-log.ts';
import { handleScale } from '../handlers/subresources/scale.ts';
import { createToken } from '../handlers/subresources/token.ts';
import type { NodeAccess } from '../kubelets/node-access.ts';
import type { ResourceHandler } from './resource-handler.ts';

export interface SubresourceOptions {
  readonly environment: HandlerEnvironment;
  readonly tokens: TokenRequestOptions;
  /** The way to kubelets. */
  readonly access: NodeAccess;
}

/**
 * Handlers of subresources with another form than the object, by `group/resource/subresource`, or `*` for any
 * resource.
 */
export function subresourceHandlers({
  environment,
  tokens,
  access,
}: SubresourceOptions): Map<string, ResourceHandler> {
  const { resources } = environment;
  const handlers: Record<string, ResourceHandler> = {
    '*/scale': (context, row) => handleScale(context, resources.serve(row), environment),
    '/pods/binding': (context, row) => bindPod(context, resources.serve(row), environment),
    '/pods/eviction': (context, row) =>
      evictPod(
        context,
        resources.serve(row),
        resources.internal('policy', 'poddisruptionbudgets'),
        environment,
      ),
    '/pods/log': (context, row) => podLog(context, resources.serve(row), environment, access),
    '/serviceaccounts/token': (context, row) =>
      createToken(context, resources.serve(row), environment, tokens),
    '*/exec': (context, row) => podConnect(context, resources.serve(row), environment, access),
    '*/attach': (context, row) => podConnect(context, resources.serve(row), environment, access),
    '*/portforward': (context, row) => podConnect(context, resources.serve(row), environment, access),
    '*/proxy': (context, row) => proxyTarget(context, resources.serve(row), environment, access),
  };
  return new Map(Object.entries(handlers));
}
