import type { CustomResourceDefinition } from '../../../model/generated/apiextensions-v1.ts';
import { type FieldError, invalid, required } from '../../../status/field-error.ts';

const ANNOTATION = 'api-approved.kubernetes.io';
const SEE = 'see https://github.com/kubernetes/enhancements/pull/1111';
const isProtected = (group: string): boolean => /(^|\.)(k8s\.io|kubernetes\.io)$/.test(group);

type Approval = 'not needed' | 'missing' | 'invalid' | 'bypassed' | 'approved';

function approvalOf({ metadata, spec }: CustomResourceDefinition): Approval {
  if (!isProtected(spec?.group ?? '')) return 'not needed';
  const text = metadata?.annotations?.[ANNOTATION] ?? '';
  if (text === '') return 'missing';
  if (text.startsWith('unapproved')) return 'bypassed';
  return /^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?#]+/.test(text) ? 'approved' : 'invalid';
}

/**
 * Validates the approval annotation, which protected groups require: a URL or a reason for its absence.
 * Updates may keep an invalid annotation.
 */
export function validateApproval(
  definition: CustomResourceDefinition,
  old: CustomResourceDefinition | undefined,
): FieldError[] {
  const approval = approvalOf(definition);
  if (old !== undefined && approvalOf(old) === approval) return [];
  const field = `metadata.annotations[${ANNOTATION}]`;
  const text = `protected groups must have approval annotation ${JSON.stringify(ANNOTATION)}`;
  if (approval === 'missing') return [required(field, `${text}, ${SEE}`)];
  if (approval !== 'invalid') return [];
  return [
    invalid(
      field,
      definition.metadata?.annotations?.[ANNOTATION],
      `${text} with either a URL or a reason starting with "unapproved", ${SEE}`,
    ),
  ];
}
