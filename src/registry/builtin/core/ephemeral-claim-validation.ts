import type { PersistentVolumeClaimSpec } from '../../../model/generated/core-v1.ts';
import { type FieldError, forbidden } from '../../../status/field-error.ts';
import { validateAnnotations, validateLabels } from '../../validation/labels.ts';
import { validateClaimSpec } from './persistent-volume-claim-validation.ts';
import type { Volume } from './pod-types.ts';

type ClaimTemplate = NonNullable<NonNullable<Volume['ephemeral']>['volumeClaimTemplate']>;

/** Members of the metadata that cannot be given, in their order, with their names in errors. */
const FOREIGN_METADATA: readonly (readonly [member: string, shown?: string])[] = [
  ['name'],
  ['generateName'],
  ['namespace'],
  ['selfLink'],
  ['uid', 'uID'],
  ['resourceVersion'],
  ['generation'],
  ['creationTimestamp'],
  ['deletionTimestamp'],
  ['deletionGracePeriodSeconds'],
  ['ownerReferences'],
  ['finalizers'],
  ['managedFields'],
];
/** Members that are pointers or lists: present even if empty. */
const NULLABLE = new Set(['deletionTimestamp', 'deletionGracePeriodSeconds', 'ownerReferences', 'finalizers', 'managedFields']);

/** The claim that is made together with a pod: name and owner come from the pod, so only labels and annotations can be given. */
export function validateClaimTemplate({ metadata = {}, spec = {} }: ClaimTemplate, field: string): FieldError[] {
  const isGiven = (member: string): boolean => {
    const value = (metadata as Record<string, unknown>)[member];
    return value !== undefined && value !== null && (NULLABLE.has(member) || (value !== '' && value !== 0));
  };
  return [
    ...validateAnnotations(metadata.annotations, `${field}.metadata.annotations`),
    ...validateLabels(metadata.labels, `${field}.metadata.labels`),
    ...FOREIGN_METADATA.flatMap(([member, shown = member]) => (isGiven(member) ? [forbidden(`${field}.metadata.${shown}`, 'cannot be set')] : [])),
    ...validateClaimSpec(spec as PersistentVolumeClaimSpec, `${field}.spec`),
  ];
}
