import { type FieldError, forbidden } from '../../status/field-error.ts';
import { type Labels, validateAnnotations, validateLabels } from './labels.ts';

/** Metadata members that a template must not set, in order, with their names in errors. */
const FORBIDDEN_METADATA: readonly (readonly [member: string, displayName?: string])[] = [
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
/** Members that are pointers or lists: set even when empty. */
const NULLABLE = new Set([
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'ownerReferences',
  'finalizers',
  'managedFields',
]);

/** Validates the metadata of a claim template: only labels and annotations may be set. */
export function validateTemplateMetadata(metadata: object, field: string): FieldError[] {
  const members = metadata as Record<string, unknown>;
  const isGiven = (member: string): boolean => {
    const value = members[member];
    return value !== undefined && value !== null && (NULLABLE.has(member) || (value !== '' && value !== 0));
  };
  return [
    ...validateAnnotations(members.annotations as Labels | undefined, `${field}.annotations`),
    ...validateLabels(members.labels as Labels | undefined, `${field}.labels`),
    ...FORBIDDEN_METADATA.flatMap(([member, displayName = member]) =>
      isGiven(member) ? [forbidden(`${field}.${displayName}`, 'cannot be set')] : [],
    ),
  ];
}
