import { quote } from '../../errors/quote.ts';
import type { CustomResourceDefinition } from '../../model/generated/apiextensions-v1.ts';
import { type FieldError, invalid, required } from '../../status/field-error.ts';
import { urlError } from '../validation/url-error.ts';

const ANNOTATION = 'api-approved.kubernetes.io';
const SEE = 'see https://github.com/kubernetes/enhancements/pull/1111';
const isProtected = (group: string): boolean => /(^|\.)(k8s\.io|kubernetes\.io)$/.test(group);
const PROTECTED_TEXT = `protected groups must have approval annotation ${quote(ANNOTATION)}`;

export type Approval = 'not needed' | 'missing' | 'invalid' | 'bypassed' | 'approved';

/** The approval of a definition, with its text in conditions and errors. */
export interface ApprovalState {
  readonly approval: Approval;
  readonly text: string;
}

/** Reads the approval of a definition in a group. */
export function approvalOf(group: string, annotations: ReadonlyMap<string, string>): ApprovalState {
  if (!isProtected(group)) return { approval: 'not needed', text: '' };
  const text = annotations.get(ANNOTATION) ?? '';
  if (text === '') return { approval: 'missing', text: `${PROTECTED_TEXT}, ${SEE}` };
  if (text.startsWith('unapproved')) return { approval: 'bypassed', text: `not approved: ${quote(text)}` };
  return /^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?]+/.test(text) && urlError(text) === undefined
    ? { approval: 'approved', text: `approved in ${text}` }
    : {
        approval: 'invalid',
        text: `${PROTECTED_TEXT} with either a URL or a reason starting with "unapproved", ${SEE}`,
      };
}

const stateOf = ({ metadata, spec }: CustomResourceDefinition): ApprovalState =>
  approvalOf(spec?.group ?? '', new Map(Object.entries(metadata?.annotations ?? {})));

/**
 * Validates the approval annotation, which protected groups require: a URL or a reason for its absence.
 * Updates may keep an invalid annotation.
 */
export function validateApproval(
  definition: CustomResourceDefinition,
  old: CustomResourceDefinition | undefined,
): FieldError[] {
  const { approval, text } = stateOf(definition);
  if (old !== undefined && stateOf(old).approval === approval) return [];
  const field = `metadata.annotations[${ANNOTATION}]`;
  if (approval === 'missing') return [required(field, text)];
  return approval === 'invalid' ? [invalid(field, definition.metadata?.annotations?.[ANNOTATION], text)] : [];
}
