import type { KubernetesObject } from '../model/object.ts';
import type { AdmissionOperation, AdmissionRequest } from '../request/admission.ts';
import type { OperationContext } from './environment.ts';

/** What admission steps see of an operation. */
export function admissionRequest(
  context: OperationContext,
  operation: AdmissionOperation,
  name: string,
  object: KubernetesObject | undefined,
  oldObject: KubernetesObject | undefined,
  options: KubernetesObject | undefined,
): AdmissionRequest {
  const { request, resource, subresource, namespace, dryRun } = context;
  const { row } = resource;
  return {
    operation,
    object,
    oldObject,
    options,
    name,
    namespace,
    subresource,
    dryRun,
    user: request.user,
    kind: resource.kind,
    resource: { group: row.group, version: row.version, resource: row.resource },
    warn: (message) => {
      request.warnings.add(message);
    },
    annotate: (key, value) => {
      request.annotations.set(key, value);
    },
  };
}
