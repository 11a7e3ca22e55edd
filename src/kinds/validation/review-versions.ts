import { dns1035Label } from '../../model/name-syntax.ts';
import { type FieldError, invalid, invalidFormatted, required } from '../../status/field-error.ts';
import { checkEach, once } from '../../steps/replay.ts';
import { findDuplicateStrings } from './duplicates.ts';
import { formatGoStrings } from './format-value.ts';

/** Review versions that this server can send to a webhook. */
export const REVIEW_VERSIONS: readonly string[] = ['v1', 'v1beta1'];

/**
 * Validates the review versions of a webhook: valid, unique, and at least one that this server supports.
 * @param anyVersion accepts lists without a supported version, for stored objects that have one
 */
export function validateReviewVersions(
  versions: readonly string[] = [],
  field: string,
  requiredText: string,
  anyVersion = false,
): FieldError[] {
  if (versions.length === 0) return [required(field, requiredText)];
  const cost = versions.length / 8;
  const repeated = once(versions, { place: 'duplicates', cost }, () => findDuplicateStrings(versions));
  const isKnown = anyVersion || REVIEW_VERSIONS.some((version) => versions.includes(version));
  return [
    ...checkEach(versions, { place: 'review versions' }, (version, index) =>
      repeated.has(index)
        ? [invalid(`${field}[${index}]`, version, 'duplicate version')]
        : dns1035Label(version).map((text) => invalid(`${field}[${index}]`, version, text)),
    ),
    ...(isKnown
      ? []
      : [
          invalidFormatted(
            field,
            formatGoStrings(versions),
            `must include at least one of ${REVIEW_VERSIONS.join(', ')}`,
          ),
        ]),
  ];
}
