import type { KubernetesObject } from '../../src/model/object.ts';
import type { AdmissionPlugin, AdmissionRequest } from '../../src/request/admission.ts';
import { user } from '../authentication/fixtures.ts';

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
    warn: () => undefined,
    annotate: () => undefined,
    ...changes,
  };
}

/** The object after a plugin, if the plugin handles the request. */
export async function admitted(
  plugin: AdmissionPlugin,
  request: AdmissionRequest,
): Promise<KubernetesObject> {
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
