import type { Life } from '../../model/life.ts';
import {
  dns1123Label,
  type NameRule,
  nameIsPathSegment,
  nameIsSubdomain,
  qualifiedName,
} from '../../model/name-syntax.ts';
import type { ManagedFieldsEntry, ObjectMeta, OwnerReference } from '../../model/object.ts';
import { parseApiVersion } from '../../model/object.ts';
import type { RuleContext } from '../../model/rule-context.ts';
import {
  type FieldError,
  forbidden,
  invalid,
  invalidFormatted,
  notSupported,
  required,
  tooLong,
} from '../../status/field-error.ts';
import { checkEach } from '../../steps/replay.ts';
import type { MetadataCheck } from '../strategy.ts';
import { IMMUTABLE, invalidTexts, validateImmutable, validateNonNegative } from './fields.ts';
import { formatGoStrings, formatGoTime } from './format-value.ts';
import { formatGo } from './go-value.ts';
import { validateAnnotations, validateLabels } from './labels.ts';

/** What rules of metadata depend on. */
export interface ObjectMetaRules {
  readonly namespaced: boolean;
  /** Default: DNS-1123 subdomain. */
  readonly validateName?: NameRule;
  /** Field path of the metadata; default `metadata`. */
  readonly path?: string;
  /**
   * Allows finalizers without a domain, for kinds that extend the API (custom kinds, their definitions,
   * aggregated APIs).
   */
  readonly allowsUnqualifiedFinalizers?: boolean;
  /** The release whose rules hold; default: the first one. */
  readonly has?: RuleContext['has'];
  /** See {@link MetadataStrategy.ignoresPrefix}. */
  readonly ignoresPrefix?: Life | undefined;
}

/** Validates the metadata of a new object. */
export function validateObjectMeta(
  meta: ObjectMeta | undefined,
  {
    namespaced,
    validateName = nameIsSubdomain,
    path = 'metadata',
    allowsUnqualifiedFinalizers = false,
    ignoresPrefix,
    has = hasNothing,
  }: ObjectMetaRules,
): FieldError[] {
  const {
    generateName = '',
    name = '',
    namespace = '',
    generation,
    labels,
    annotations,
    ownerReferences,
    finalizers,
    managedFields,
  } = meta ?? {};
  const errors: FieldError[] = [];
  if (generateName !== '' && !(ignoresPrefix !== undefined && has(ignoresPrefix)))
    errors.push(...invalidTexts(`${path}.generateName`, generateName, validateName(generateName, true)));
  if (name === '') errors.push(required(`${path}.name`, 'name or generateName is required'));
  else errors.push(...invalidTexts(`${path}.name`, name, validateName(name, false)));
  if (!namespaced && namespace !== '')
    errors.push(forbidden(`${path}.namespace`, 'not allowed on this type'));
  if (namespaced)
    errors.push(
      ...(namespace === ''
        ? [required(`${path}.namespace`)]
        : invalidTexts(`${path}.namespace`, namespace, dns1123Label(namespace))),
    );
  return [
    ...errors,
    ...validateNonNegative(generation, `${path}.generation`),
    ...validateLabels(labels, `${path}.labels`),
    ...validateAnnotations(annotations, `${path}.annotations`),
    ...validateOwnerReferences(ownerReferences, `${path}.ownerReferences`, has),
    ...validateFinalizers(finalizers, `${path}.finalizers`),
    ...validateManagedFields(managedFields, `${path}.managedFields`, has),
    ...(allowsUnqualifiedFinalizers ? [] : validateBuiltinFinalizers(finalizers, `${path}.finalizers`)),
  ];
}

export interface MetadataUpdateRules extends Omit<ObjectMetaRules, 'path'> {
  /** What the kind checks itself, in order; default: the change. */
  readonly checks?: readonly MetadataCheck[] | undefined;
}

/**
 * Validates the metadata of an update. Errors repeat as in kube-apiserver: the metadata and its change are
 * validated for all objects, and again by each check of the kind.
 */
export function validateObjectMetaUpdate(
  meta: ObjectMeta,
  old: ObjectMeta,
  { checks = CHANGE, validateName, ...rules }: MetadataUpdateRules,
): FieldError[] {
  const change = validateMetaChange(meta, old, 'metadata', rules.has);
  // Only kinds that validate the whole object apply their own name rule.
  const general = validateObjectMeta(meta, {
    ...rules,
    validateName: nameIsPathSegment,
    allowsUnqualifiedFinalizers: true,
  });
  const builtin =
    rules.allowsUnqualifiedFinalizers === true
      ? []
      : validateBuiltinFinalizers(meta.finalizers, 'metadata.finalizers');
  const again = {
    change: () => [...change, ...builtin],
    whole: () => validateObjectMeta(meta, { ...rules, validateName }),
  };
  return [...general, ...change, ...checks.flatMap((check) => again[check]())];
}

const CHANGE: readonly MetadataCheck[] = ['change'];

/** What a kind without a rule for finalizers of its own checks of the change of its metadata. */
export const validateObjectMetaChange = (meta: ObjectMeta, old: ObjectMeta): FieldError[] => [
  ...validateMetaChange(meta, old, 'metadata'),
  ...validateBuiltinFinalizers(meta.finalizers, 'metadata.finalizers'),
];

function validateMetaChange(
  meta: ObjectMeta,
  old: ObjectMeta,
  path: string,
  has: RuleContext['has'] = hasNothing,
): FieldError[] {
  const errors: FieldError[] = [];
  if (old.deletionTimestamp !== undefined) {
    const known = new Set(old.finalizers);
    const added = (meta.finalizers ?? []).filter((finalizer) => !known.has(finalizer));
    if (added.length > 0)
      errors.push(
        forbidden(
          `${path}.finalizers`,
          `no new finalizers can be added if the object is being deleted, found new finalizers ${formatGoStrings([...new Set(added)].sort())}`,
        ),
      );
  }
  if ((meta.generation ?? 0) < (old.generation ?? 0))
    errors.push(invalid(`${path}.generation`, meta.generation ?? 0, 'must not be decremented'));
  return [
    ...errors,
    ...validateImmutable(meta.name ?? '', old.name ?? '', `${path}.name`),
    ...validateImmutable(meta.namespace ?? '', old.namespace ?? '', `${path}.namespace`),
    ...validateImmutable(meta.uid ?? '', old.uid ?? '', `${path}.uid`),
    ...validateImmutableTime(meta.creationTimestamp, old.creationTimestamp, `${path}.creationTimestamp`),
    ...validateImmutableTime(meta.deletionTimestamp, old.deletionTimestamp, `${path}.deletionTimestamp`),
    ...validateImmutable(
      meta.deletionGracePeriodSeconds,
      old.deletionGracePeriodSeconds,
      `${path}.deletionGracePeriodSeconds`,
    ),
    ...validateLabels(meta.labels, `${path}.labels`),
    ...validateAnnotations(meta.annotations, `${path}.annotations`),
    ...validateOwnerReferences(meta.ownerReferences, `${path}.ownerReferences`, has),
    ...validateManagedFields(meta.managedFields, `${path}.managedFields`, has),
  ];
}

/** Validates that a time is unchanged. @param format formats the time in an error */
export function validateImmutableTime(
  time: string | null | undefined,
  old: string | null | undefined,
  field: string,
  format: (time: string) => string = formatGoTime,
): FieldError[] {
  if ((time ?? '') === (old ?? '')) return [];
  return [invalidFormatted(field, time === undefined || time === null ? '"null"' : format(time), IMMUTABLE)];
}

const formatOwner = (reference: Partial<OwnerReference>): string => formatGo('v1.OwnerReference', reference);

const hasNothing: RuleContext['has'] = ({ since }) => since === undefined;

/** The releases that require the members of a reference to an owner, and name the reference. */
const REQUIRES_OWNERS: Life = { since: '1.37' };
const NAMES = ['kind', 'name', 'uid'] as const;

const validateMembers = (
  reference: Partial<OwnerReference>,
  version: string,
  field: string,
): FieldError[] => [
  ...(version === ''
    ? [invalid(`${field}.apiVersion`, reference.apiVersion ?? '', 'version must not be empty')]
    : []),
  ...NAMES.flatMap((name) =>
    (reference[name] ?? '') === '' ? [invalid(`${field}.${name}`, '', `${name} must not be empty`)] : [],
  ),
];

function validateRequiredMembers(
  reference: Partial<OwnerReference>,
  version: string,
  field: string,
): FieldError[] {
  const { apiVersion = '' } = reference;
  const missing = (['apiVersion', ...NAMES] as const).filter((name) => (reference[name] ?? '') === '');
  return [
    ...missing.map((name) => required(`${field}.${name}`, 'must not be empty')),
    ...(apiVersion !== '' && version === ''
      ? [invalid(`${field}.apiVersion`, apiVersion, 'must be <group>/<version> or <version>')]
      : []),
  ];
}

export function validateOwnerReferences(
  references: readonly Partial<OwnerReference>[] | undefined,
  field: string,
  has: RuleContext['has'],
): FieldError[] {
  if (references === undefined) return [];
  const requires = has(REQUIRES_OWNERS);
  const errors: FieldError[] = [];
  let controller: string | undefined;
  // Each error for an extra controller lists all references. Format them once: one text per pair would take
  // gigabytes.
  let formattedReferences: string | undefined;
  for (const [index, reference] of references.entries()) {
    const parsed = parseApiVersion(reference.apiVersion ?? '');
    errors.push(
      ...(requires
        ? validateRequiredMembers(reference, parsed?.version ?? '', `${field}[${index}]`)
        : validateMembers(reference, parsed?.version ?? '', field)),
    );
    if (parsed?.group === '' && parsed.version === 'v1' && reference.kind === 'Event')
      errors.push(
        invalidFormatted(
          requires ? `${field}[${index}]` : field,
          formatOwner(reference),
          '/v1, Kind=Event is disallowed from being an owner',
        ),
      );
    if (reference.controller !== true) continue;
    const name = `${reference.kind ?? ''}/${reference.name ?? ''}`;
    if (controller !== undefined) {
      formattedReferences ??= `[]v1.OwnerReference{${references.map(formatOwner).join(', ')}}`;
      errors.push(
        invalidFormatted(
          field,
          formattedReferences,
          `Only one reference can have Controller set to true. Found "true" in references for ${controller} and ${name}`,
        ),
      );
    } else controller = name;
  }
  return errors;
}

export function validateFinalizers(finalizers: readonly string[] | undefined, field: string): FieldError[] {
  if (finalizers === undefined) return [];
  const errors = checkEach(finalizers, { place: 'names' }, (finalizer) =>
    invalidTexts(field, finalizer, qualifiedName(finalizer)),
  );
  if (finalizers.includes('orphan') && finalizers.includes('foregroundDeletion'))
    errors.push(
      invalidFormatted(
        field,
        formatGoStrings(finalizers),
        'finalizer orphan and foregroundDeletion cannot be both set',
      ),
    );
  return errors;
}

/** Names of finalizers that have no domain. */
export const STANDARD_FINALIZERS: ReadonlySet<string> = new Set([
  'kubernetes',
  'orphan',
  'foregroundDeletion',
]);

/** Validates the finalizers of built-in kinds: a standard finalizer, or one with a domain. */
export function validateBuiltinFinalizers(
  finalizers: readonly string[] | undefined,
  field: string,
): FieldError[] {
  return checkEach(finalizers ?? [], { place: 'domains' }, (finalizer, index) =>
    finalizer.includes('/') || STANDARD_FINALIZERS.has(finalizer)
      ? []
      : [
          invalid(
            `${field}[${index}]`,
            finalizer,
            'name is neither a standard finalizer name nor is it fully qualified',
          ),
        ],
  );
}

const MAXIMUM_MANAGER_BYTES = 128;
const MAXIMUM_SUBRESOURCE_BYTES = 256;
/** Characters that cannot be printed. */
const FORBIDDEN_IN_MANAGER = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu;

const OPERATIONS = ['Apply', 'Update'];
/** The releases that require an operation and list the supported ones. */
const REQUIRES_OPERATION: Life = { since: '1.37' };

export function validateManagedFields(
  entries: readonly ManagedFieldsEntry[] | undefined,
  field: string,
  has: RuleContext['has'],
): FieldError[] {
  const invalidOperation = (path: string, operation: string): FieldError => {
    if (!has(REQUIRES_OPERATION)) return invalid(path, operation, 'must be `Apply` or `Update`');
    return operation === '' ? required(path, 'must not be empty') : notSupported(path, operation, OPERATIONS);
  };
  return (entries ?? []).flatMap(
    ({ operation = '', fieldsType = '', manager = '', subresource = '' }, index) => {
      const path = `${field}[${index}]`;
      const errors: FieldError[] = [];
      if (!OPERATIONS.includes(operation)) errors.push(invalidOperation(`${path}.operation`, operation));
      if (fieldsType !== '' && fieldsType !== 'FieldsV1')
        errors.push(invalid(`${path}.fieldsType`, fieldsType, 'must be `FieldsV1`'));
      errors.push(...validateFieldManager(manager, `${path}.manager`));
      if (Buffer.byteLength(subresource) > MAXIMUM_SUBRESOURCE_BYTES)
        errors.push(tooLong(`${path}.subresource`, MAXIMUM_SUBRESOURCE_BYTES));
      return errors;
    },
  );
}

/** Validates the name of a field manager, in managedFields and in the `fieldManager` parameter. */
export function validateFieldManager(manager: string, field: string): FieldError[] {
  const errors: FieldError[] =
    Buffer.byteLength(manager) > MAXIMUM_MANAGER_BYTES ? [tooLong(field, MAXIMUM_MANAGER_BYTES)] : [];
  let position = 0;
  let read = 0;
  for (const { 0: character, index } of manager.matchAll(FORBIDDEN_IN_MANAGER)) {
    position += Buffer.byteLength(manager.slice(read, index));
    read = index;
    const code = character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
    errors.push(invalid(field, manager, `invalid character U+${code} (at position ${position})`));
  }
  return errors;
}
