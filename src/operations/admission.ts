import type { GroupVersionKind, KubernetesObject } from '../model/object.ts';
import type { Admission, AdmissionOperation, AdmissionRequest } from '../request/admission.ts';
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

/** An action that admission has let begin. */
export interface AdmittedAction {
  /** As mutating steps left it. */
  readonly object: KubernetesObject;
  /** Runs the steps that may only refuse it, once it is known to be sound. */
  validate(): void | Promise<void>;
}

/**
 * Admits what is created without ever being stored: an object that says what to do to the one that the path
 * names (a Binding, an Eviction, a TokenRequest). What it brings about is written {@link
 * NO_FURTHER_ADMISSION}.
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

/** For writes that follow from an action: admission has seen that, and sees no more. */
export const NO_FURTHER_ADMISSION: Admission = {
  handles: () => false,
  admit: () => undefined,
  validate: () => undefined,
};
