import { type FieldError, forbidden } from '../../status/field-error.ts';
import { type Labels, validateAnnotations, validateLabels } from './labels.ts';

/** Members of the metadata that cannot be given, in their order, with their names in errors. */
const FORBIDDEN_METADATA: readonly (readonly [member: string, shown?: string])[] = [
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
const NULLABLE = new Set([
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'ownerReferences',
  'finalizers',
  'managedFields',
]);

/**
 * Metadata in the template of a claim: only labels and annotations can be given, all else comes from what is
 * made of it.
 */
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
