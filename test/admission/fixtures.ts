import type { PluginConfiguration } from '../../src/admission/plugin-configuration.ts';
import type { BuiltinPlugin } from '../../src/admission/plugins/builtin-plugin.ts';
import { defaultPolicy } from '../../src/admission/pod-security/policy.ts';
import type { KubernetesObject } from '../../src/model/object.ts';
import { AdmissionMemory, type AdmissionRequest } from '../../src/request/admission.ts';
import { user } from '../authentication/fixtures.ts';
import { loopTurns } from '../support/loop-turns.ts';

/** A create request for this object in namespace `n`, with changes. */
export function admissionRequest(
  resource: string,
  object: KubernetesObject | undefined,
  changes: Partial<AdmissionRequest> = {},
): AdmissionRequest {
  return {
    operation: 'CREATE',
    user: user('u'),
    kind: { group: '', version: 'v1', kind: '' },
    resource: { group: '', version: 'v1', resource },
    subresource: '',
    namespace: 'n',
    name: object?.metadata?.name ?? '',
    object,
    oldObject: undefined,
    dryRun: false,
    options: undefined,
    deadline: Number.POSITIVE_INFINITY,
    signal: new AbortController().signal,
    turns: loopTurns(),
    isOwnWrite: false,
    memory: new AdmissionMemory(),
    rounds: { round: 0, needsSecond: false },
    inVersion: () => {
      throw new Error('this request has no versions');
    },
    replace: () => {
      throw new Error('this request has no versions');
    },
    merge: () => {
      throw new Error('this request has no versions');
    },
    objectChanged: () => undefined,
    warn: () => undefined,
    annotate: () => undefined,
    ...changes,
  };
}

/** The object after a plugin, if the plugin handles the request. */
export async function admitted(plugin: BuiltinPlugin, request: AdmissionRequest): Promise<KubernetesObject> {
  if (
    plugin.handles(request.operation, request.resource.group, request.resource.resource, request.subresource)
  ) {
    await plugin.admit?.(request);
    await plugin.validate?.(request);
  }
  return request.object!;
}

export const pod = (spec: object = {}, metadata: object = {}): KubernetesObject => ({
  metadata: { name: 'p', ...metadata },
  spec: { containers: [{ name: 'c' }], ...spec },
});

/** The settings of plugins without configuration. */
export const UNCONFIGURED: PluginConfiguration = {
  eventLimits: [],
  imagePolicy: undefined,
  podSecurity: {
    defaults: defaultPolicy().policy,
    exemptions: { usernames: new Set(), namespaces: new Set(), runtimeClasses: new Set() },
  },
  nodeSelectors: new Map(),
  tolerations: { added: [], allowed: [] },
  limitedResources: [],
};
