import type { PersistentVolumeClaimSpec } from '../../../model/generated/core-v1.ts';
import { type FieldError, forbidden } from '../../../status/field-error.ts';
import { validateAnnotations, validateLabels } from '../../validation/labels.ts';
import { validateClaimSpec } from './persistent-volume-claim-validation.ts';
import type { Volume } from './pod-types.ts';

type ClaimTemplate = NonNullable<NonNullable<Volume['ephemeral']>['volumeClaimTemplate']>;

const FOREIGN_META = ['name', 'generateName', 'namespace', 'uid', 'resourceVersion', 'finalizers', 'ownerReferences'] as const;

/** The claim that is made together with a pod: name and owner come from the pod, so only labels and annotations can be given. */
export function validateClaimTemplate({ metadata = {}, spec = {} }: ClaimTemplate, field: string): FieldError[] {
  return [
    ...FOREIGN_META.flatMap((name) =>
      (metadata[name]?.length ?? 0) === 0 ? [] : [forbidden(`${field}.metadata.${name}`, 'cannot be set in a claim template')],
    ),
    ...validateLabels(metadata.labels, `${field}.metadata.labels`),
    ...validateAnnotations(metadata.annotations, `${field}.metadata.annotations`),
    ...validateClaimSpec(spec as PersistentVolumeClaimSpec, `${field}.spec`),
  ];
}
