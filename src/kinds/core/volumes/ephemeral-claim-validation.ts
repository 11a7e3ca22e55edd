import type { PersistentVolumeClaimSpec, Volume } from '../../../model/generated/core-v1.ts';
import type { RuleContext } from '../../../model/rule-context.ts';
import type { FieldError } from '../../../status/field-error.ts';
import { validateTemplateMetadata } from '../../validation/template-metadata.ts';
import { VOLUME_ATTRIBUTES_CLASS, validateClaimSpec } from './persistent-volume-claim-validation.ts';

type ClaimTemplate = NonNullable<NonNullable<Volume['ephemeral']>['volumeClaimTemplate']>;

/**
 * Validates the claim template of an ephemeral volume, whose metadata can only have labels and annotations.
 */
export function validateClaimTemplate(
  { metadata = {}, spec = {} }: ClaimTemplate,
  field: string,
  { isOn }: RuleContext,
): FieldError[] {
  return [
    ...validateTemplateMetadata(metadata, `${field}.metadata`),
    ...validateClaimSpec(spec as PersistentVolumeClaimSpec, `${field}.spec`, {
      checksAttributesClass: isOn(VOLUME_ATTRIBUTES_CLASS),
    }),
  ];
}
