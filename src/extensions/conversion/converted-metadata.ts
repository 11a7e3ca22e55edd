import { aggregate } from '../../errors/aggregate.ts';
import { validateAnnotations, validateLabels } from '../../kinds/validation/labels.ts';
import { isJsonObject } from '../../model/json-object.ts';
import { formatFieldError } from '../../status/field-error.ts';
import { goType } from '../go-type.ts';
import type { PlainObject } from './conversion-review.ts';

const text = (metadata: unknown, member: string): string => {
  const value = isJsonObject(metadata) ? metadata[member] : undefined;
  return typeof value === 'string' ? value : '';
};

/** A conversion may not change which object it is. @returns the fault, or undefined */
export function identityFault(sent: PlainObject, converted: PlainObject): string | undefined {
  for (const [member, shown] of [
    ['name', 'name'],
    ['namespace', 'namespace'],
    ['uid', 'UID'],
  ] as const) {
    const [before, after] = [text(sent.metadata, member), text(converted.metadata, member)];
    if (before !== after) return `must have the same ${shown}: ${before} != ${after}`;
  }
  return undefined;
}

/**
 * Replaces the metadata of a converted object by that of the object sent, except for labels and annotations,
 * which a webhook may change. The new metadata shares parts with that of the object sent.
 * @returns the fault, or undefined
 */
export function restoreMetadata(sent: PlainObject, converted: PlainObject): string | undefined {
  if (converted.metadata === undefined) return 'missing metadata in converted object';
  if (!isJsonObject(converted.metadata))
    return `invalid metadata of type ${goType(converted.metadata)} in converted object`;
  const original = isJsonObject(sent.metadata) ? sent.metadata : {};
  const restored: Record<string, unknown> = { ...original };
  for (const member of ['labels', 'annotations'] as const) {
    const changed = converted.metadata[member] ?? undefined;
    if (changed === undefined) {
      delete restored[member];
      continue;
    }
    const fault = mapFault(member, changed, original[member]);
    if (fault !== undefined) return fault;
    // Metadata is written without empty maps.
    if (Object.keys(changed).length > 0) restored[member] = changed;
    else delete restored[member];
  }
  converted.metadata = restored;
  return undefined;
}

function mapFault(member: 'labels' | 'annotations', changed: unknown, original: unknown): string | undefined {
  if (!isJsonObject(changed))
    return `invalid metadata.${member} of type ${goType(changed)} in converted object`;
  const before = isJsonObject(original) ? original : {};
  const keys = Object.keys(changed);
  let isChanged = keys.length !== Object.keys(before).length;
  for (const key of keys) {
    const value = changed[key];
    if (typeof value !== 'string')
      return `metadata.${member}[${key}] must be a string, but is ${goType(value)} in converted object`;
    isChanged ||= !Object.hasOwn(before, key) || before[key] !== value;
  }
  if (!isChanged) return undefined;
  const map = changed as Record<string, string>;
  // The field of annotations is named as in kube-apiserver.
  const errors =
    member === 'labels'
      ? validateLabels(map, 'metadata.labels')
      : validateAnnotations(map, 'metadata.annotation');
  return errors.length === 0 ? undefined : aggregate(errors.map(formatFieldError));
}
