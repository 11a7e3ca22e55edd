import { quote } from '../errors/quote.ts';
import type { KubernetesObject, ManagedFieldsEntry } from '../model/object.ts';
import type { AdmissionRequest } from '../request/admission.ts';

/**
 * Restores the owners of fields when mutating admission left entries that are invalid, with a warning.
 * @param before the entries before admission
 */
export function restoreInvalidOwnership(
  admission: AdmissionRequest,
  object: KubernetesObject,
  before: ManagedFieldsEntry[] | undefined,
): void {
  const { metadata } = object;
  const entries = metadata?.managedFields;
  if (metadata === undefined || entries === undefined || entries === before) return;
  const problem = problemOf(entries);
  if (problem === undefined) return;
  metadata.managedFields = before;
  admission.warn(
    `.metadata.managedFields was in an invalid state after admission; this could be caused by an outdated mutating admission controller; please fix your requests: ${problem}`,
  );
}

function problemOf(entries: readonly ManagedFieldsEntry[]): string | undefined {
  for (const [index, { operation = '', apiVersion = '', fieldsType = '' }] of entries.entries()) {
    if (operation !== 'Apply' && operation !== 'Update') return 'operation must be `Apply` or `Update`';
    if (apiVersion === '') return 'apiVersion must not be empty';
    if (fieldsType === '') return `missing fieldsType in managed fields entry ${index}`;
    if (fieldsType !== 'FieldsV1')
      return `invalid fieldsType ${quote(fieldsType)} in managed fields entry ${index}`;
  }
  return undefined;
}
