import { apiVersionOf, type GroupVersionKind, type KubernetesObject } from '../model/object.ts';
import type { Admission, AdmissionOperation } from '../request/admission.ts';
import { builtinSchema } from '../resources/object-schema.ts';
import { AdmissionAttempt, resourceOf } from './admission-request.ts';
import { type AdmittedKind, kindOfResource, singleKind } from './admitted-kind.ts';
import type { OperationContext } from './environment.ts';

/**
 * Creates the admission request of an operation on a stored object.
 * @param admitted the kind that admission sees; default: that of the resource
 */
export function admissionRequest(
  context: OperationContext,
  operation: AdmissionOperation,
  name: string,
  object: KubernetesObject | undefined,
  oldObject: KubernetesObject | undefined,
  options: KubernetesObject | undefined,
  admitted: AdmittedKind = kindOfResource(context.resource),
): AdmissionAttempt {
  const { request, resource, subresource, namespace, dryRun } = context;
  return new AdmissionAttempt({
    request,
    admitted,
    operation,
    resource: resourceOf(resource.row),
    subresource,
    namespace,
    name,
    dryRun,
    object,
    oldObject,
    options,
  });
}

/** An action that mutating admission has accepted. */
export interface AdmittedAction {
  /** The object after mutating admission; it may be completed before it is validated. */
  readonly object: KubernetesObject;
  /** Runs validating admission; call it after the object has been validated. */
  validate(): void | Promise<void>;
}

/** What admission of an action needs; the objects of actions need no resource that stores them. */
export type ActionContext = Pick<OperationContext, 'request' | 'namespace' | 'dryRun'> & {
  readonly environment: Pick<OperationContext['environment'], 'admission'>;
};

/**
 * Admits an object that is posted but never stored: it acts on the object of the path (a Binding, an Eviction,
 * a TokenRequest), or is only answered (a review). Writes that follow from it use {@link NO_FURTHER_ADMISSION}.
 * @throws ApiError
 */
export const admitAction = (
  context: ActionContext,
  kind: GroupVersionKind,
  object: KubernetesObject,
  options: KubernetesObject,
): Promise<AdmittedAction> => admit(context, 'CREATE', kind, object, options);

/**
 * Admits a connection to an object: exec, attach, port forwarding, proxy. Both phases have run when it
 * resolves.
 * @param options the options of the connection, of kind `kind`
 * @throws ApiError
 */
export async function admitConnection(
  context: ActionContext,
  kind: GroupVersionKind,
  options: KubernetesObject,
): Promise<KubernetesObject> {
  const { object, validate } = await admit(context, 'CONNECT', kind, options, undefined);
  await validate();
  return object;
}

async function admit(
  { environment: { admission }, request, namespace, dryRun }: ActionContext,
  operation: AdmissionOperation,
  kind: GroupVersionKind,
  object: KubernetesObject,
  options: KubernetesObject | undefined,
): Promise<AdmittedAction> {
  const { group, resource, subresource, pathName } = request.info;
  if (!admission.handles(operation, group, resource, subresource)) {
    admission.passed?.(operation, group, resource, subresource);
    return { object, validate: () => undefined };
  }
  object.apiVersion = apiVersionOf(kind.group, kind.version);
  object.kind = kind.kind;
  const attempt = new AdmissionAttempt({
    request,
    admitted: singleKind(kind, builtinSchema(request.scheme.types, kind.group, kind.version, kind.kind)!),
    operation,
    resource: resourceOf(request.info),
    subresource,
    namespace,
    name: pathName || (object.metadata?.name ?? ''),
    dryRun,
    object,
    oldObject: undefined,
    options,
  });
  await admission.admit(attempt);
  return {
    object: attempt.object!,
    validate() {
      attempt.objectChanged();
      return admission.validate(attempt);
    },
  };
}

/** Admission for the writes of an action that has already been admitted: accepts everything. */
export const NO_FURTHER_ADMISSION: Admission = {
  handles: () => false,
  admit: () => undefined,
  validate: () => undefined,
};
