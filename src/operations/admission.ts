import type { GroupVersionKind, KubernetesObject } from '../model/object.ts';
import type { Admission, AdmissionOperation, AdmissionRequest } from '../request/admission.ts';
import type { OperationContext } from './environment.ts';

/** Creates the admission request of an operation. */
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

/** An action that mutating admission has accepted. */
export interface AdmittedAction {
  /** The object after mutating admission. */
  readonly object: KubernetesObject;
  /** Runs validating admission; call it after the object has been validated. */
  validate(): void | Promise<void>;
}

/**
 * Admits an object that is posted but never stored and acts on the object of the path (a Binding, an
 * Eviction, a TokenRequest). Writes that follow from it use {@link NO_FURTHER_ADMISSION}.
 * @throws ApiError
 */
export async function admitAction(
  context: OperationContext,
  kind: GroupVersionKind,
  object: KubernetesObject,
  options: KubernetesObject,
): Promise<AdmittedAction> {
  const { admission } = context.environment;
  const { group, version, resource, subresource, pathName } = context.request.info;
  if (!admission.handles('CREATE', group, resource, subresource))
    return { object, validate: () => undefined };
  const general = admissionRequest(context, 'CREATE', pathName, object, undefined, options);
  const request: AdmissionRequest = { ...general, kind, resource: { group, version, resource }, subresource };
  await admission.admit(request);
  return { object: request.object!, validate: () => admission.validate(request) };
}

/** Admission for the writes of an action that has already been admitted: accepts everything. */
export const NO_FURTHER_ADMISSION: Admission = {
  handles: () => false,
  admit: () => undefined,
  validate: () => undefined,
};
