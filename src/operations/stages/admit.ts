import type { KubernetesObject, ManagedFieldsEntry } from '../../model/object.ts';
import type { MaybePromise } from '../../steps/steps.ts';
import { admissionRequest } from '../admission.ts';
import { restoreInvalidOwnership } from '../admitted-ownership.ts';
import type { OperationContext } from '../environment.ts';
import { checkNamespace } from '../object-metadata.ts';
import { deduplicateOwnerReferences } from '../owner-references.ts';
import { setEntries } from '../ownership.ts';
import type { Creation } from './creation.ts';
import type { Update } from './update.ts';
import type { Write } from './write.ts';

/**
 * Mutating admission of a new or changed object.
 * Reads: old, admittedForm, name, options. Changes: object, admission.
 * @throws ApiError
 */
export async function admit(write: Creation | Update): Promise<void> {
  const { context, object, old, admittedForm: form } = write;
  const attempt = admissionRequest(
    context,
    write.operation,
    write.name,
    form === undefined ? object : withOwners(form.sent?.() ?? form.of(object), form.owners.after),
    form === undefined || old === undefined ? old : withOwners(form.of(old), form.owners.before),
    write.options,
    form?.kind,
  );
  if (!isHandled(write)) return;
  leaveTurnIfExternal(write);
  const before = attempt.object!.metadata?.managedFields;
  await context.environment.admission.admit(attempt);
  restoreInvalidOwnership(attempt, attempt.object!, before);
  write.object = form?.merge(object, attempt.object!) ?? attempt.object!;
  checkNamespace(write.object, context.namespace);
  write.admission = attempt;
}

function withOwners(object: KubernetesObject, entries: ManagedFieldsEntry[] | undefined): KubernetesObject {
  setEntries(object, entries);
  return object;
}

/** Removes owner references that admission repeated. Changes: object. */
export function deduplicateAdmitted({ context, object }: Write): void {
  deduplicateOwnerReferences(context, object, true);
}

/**
 * Validating admission of the object that will be stored.
 * Reads: object, old, name, admittedForm. Changes: admission.
 * @throws ApiError
 */
export function admitFinally(write: Write): MaybePromise<void> {
  const { context, object, old, name, admission, admittedForm: form } = write;
  if (admission === undefined) return;
  if (form !== undefined && old !== undefined) admission.oldObject = form.of(old);
  admission.object = form?.of(object) ?? object;
  // The name may have been generated.
  admission.name = name;
  return context.environment.admission.validate(admission);
}

/** Whether a plugin handles the write; counts it otherwise. */
export function isHandled({ context, operation }: Write): boolean {
  const { row } = context.resource;
  const { admission } = context.environment;
  const subresource = admittedSubresource(context, operation);
  if (admission.handles(operation, row.group, row.resource, subresource)) return true;
  admission.passed?.(operation, row.group, row.resource, subresource);
  return false;
}

/** Leaves the turn where a plugin may wait for something outside the process. */
export function leaveTurnIfExternal({ context, operation, leaveTurn }: Write): void {
  if (leaveTurn === undefined) return;
  const { row } = context.resource;
  const subresource = admittedSubresource(context, operation);
  if (context.environment.admission.leavesProcess?.(operation, row.group, row.resource, subresource) === true)
    leaveTurn();
}

/** A deletion through a subresource (an eviction) is one of the object. */
const admittedSubresource = ({ subresource }: OperationContext, operation: Write['operation']): string =>
  operation === 'DELETE' ? '' : subresource;
