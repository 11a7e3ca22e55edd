import type { TokenRequestOptions } from '../authentication/service-account/index.ts';
import { bindPod } from '../handlers/binding.ts';
import type { HandlerEnvironment } from '../handlers/environment.ts';
import { evictPod } from '../handlers/eviction.ts';
import { podConnect, podLog, proxyTarget } from '../handlers/pod-connect.ts';
import { handleScale } from '../handlers/scale.ts';
import { createToken } from '../handlers/token.ts';
import type { RowHandler } from './virtual.ts';

export interface SubresourceOptions {
  readonly environment: HandlerEnvironment;
  readonly tokens: TokenRequestOptions;
}

/** Subresources that are not the object itself, by `group/resource/subresource`, or `*` and the subresource for any kind. */
export function subresourceHandlers({ environment, tokens }: SubresourceOptions): Map<string, RowHandler> {
  const { registry } = environment;
  const handlers: Record<string, RowHandler> = {
    '*/scale': (context, row) => handleScale(context, registry.serve(row), environment),
    '/pods/binding': (context, row) => bindPod(context, registry.serve(row), environment),
    '/pods/eviction': (context, row) => evictPod(context, registry.serve(row), registry.internal('policy', 'poddisruptionbudgets'), environment),
    '/pods/log': (context, row) => podLog(context, registry.serve(row)),
    '/serviceaccounts/token': (context, row) => createToken(context, registry.serve(row), environment, tokens),
    '*/exec': (context, row) => podConnect(context, registry.serve(row)),
    '*/attach': (context, row) => podConnect(context, registry.serve(row)),
    '*/portforward': (context, row) => podConnect(context, registry.serve(row)),
    '*/proxy': (context, row) => proxyTarget(context, registry.serve(row), registry.internal('', 'endpoints').stored),
  };
  return new Map(Object.entries(handlers));
}
