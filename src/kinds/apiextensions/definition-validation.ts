import { isConditionTrue } from '../../model/conditions.ts';
import type {
  CustomResourceDefinition,
  CustomResourceDefinitionSpec,
  CustomResourceDefinitionVersion,
  CustomResourceValidation,
  JSONSchemaProps,
} from '../../model/generated/apiextensions-v1.ts';
import { dns1035Label, dns1123Subdomain } from '../../model/name-syntax.ts';
import { type FieldError, forbidden, invalid, required } from '../../status/field-error.ts';
import { checkEach, once, onceInTurns } from '../../steps/replay.ts';
import { validateImmutable, validateOneOf } from '../validation/fields.ts';
import { uncounted } from '../validation/find-errors.ts';
import { validateApproval } from './approval.ts';
import { validateConversion } from './conversion-validation.ts';
import { fieldsBelow } from './fields-below.ts';
import { hoistSharedMembers } from './hoisted-spec.ts';
import { requireNames, validateNames } from './names-validation.ts';
import { validateRootWithStatus } from './root-validation.ts';
import { historyOf, type RulesHistory } from './rules-history.ts';
import type { RulesContext, SchemaChecker } from './schema-checker.ts';
import { costOfRules, costOfSchemas, factsOf } from './schema-facts.ts';
import { validateSchema } from './schema-validation.ts';
import { MAXIMUM_DEPTH } from './schema-walk.ts';
import { validateStructural } from './structural-validation.ts';
import { validateStoredVersions, validateVersionSet } from './version-set-validation.ts';
import {
  validateColumn,
  validateDeprecation,
  validateSelectableFields,
  validateSubresources,
} from './version-validation.ts';

export function validateDefinition(
  definition: CustomResourceDefinition,
  checker: SchemaChecker,
): FieldError[] {
  const { spec = {} } = definition;
  return [
    ...validateSpec(spec, undefined, historyOf(undefined, spec), checker),
    ...validateDefinitionStatus(definition),
    ...validateStoredVersions(definition),
    ...validateApproval(definition, undefined),
    ...validatePreservation(spec, undefined),
  ];
}

export function validateDefinitionUpdate(
  definition: CustomResourceDefinition,
  old: CustomResourceDefinition,
  checker: SchemaChecker,
): FieldError[] {
  const { spec = {} } = definition;
  const before = old.spec ?? {};
  const isEstablished = isConditionTrue(old.status?.conditions, 'Established');
  return [
    ...validateSpec(
      spec,
      before,
      once(spec, { place: 'history', cost: costOfSchemas(spec) }, () => historyOf(before, spec)),
      checker,
    ),
    ...(isEstablished ? validateImmutable(spec.scope ?? '', before.scope ?? '', 'spec.scope') : []),
    ...(isEstablished
      ? validateImmutable(spec.names?.kind ?? '', before.names?.kind ?? '', 'spec.names.kind')
      : []),
    ...validateImmutable(spec.group ?? '', before.group ?? '', 'spec.group'),
    ...validateImmutable(spec.names?.plural ?? '', before.names?.plural ?? '', 'spec.names.plural'),
    ...validateDefinitionStatus(definition),
    ...validateStoredVersions(definition),
    ...validateApproval(definition, old),
    ...validatePreservation(spec, before),
  ];
}

export const validateDefinitionStatus = ({ status = {} }: CustomResourceDefinition): FieldError[] =>
  validateNames(status.acceptedNames ?? {}, 'status.acceptedNames');

function validateSpec(
  spec: CustomResourceDefinitionSpec,
  before: CustomResourceDefinitionSpec | undefined,
  history: RulesHistory,
  checker: SchemaChecker,
): FieldError[] {
  const { group = '', names = {}, scope, conversion } = spec;
  const tooDeep = checkEach(spec.versions ?? [], { place: 'depth' }, ({ schema }, index) =>
    factsOf(schema?.openAPIV3Schema).isTooDeep ? [`spec.versions[${index}].schema.openAPIV3Schema`] : [],
  );
  if (tooDeep.length > 0)
    return tooDeep.map((field) =>
      forbidden(field, `schemas must not be nested more than ${MAXIMUM_DEPTH} levels deep`),
    );
  const {
    versions,
    validation,
    subresources,
    additionalPrinterColumns = [],
    selectableFields,
  } = once(spec, { place: 'shared members', cost: costOfSchemas(spec) }, () => hoistSharedMembers(spec));
  // A version has the subresources of the first one with its name, or those that all versions share.
  const haveOwn = versions.some((version) => version.subresources !== undefined);
  const firstOf = new Map(versions.toReversed().map((version) => [version.name, version]));
  const hasStatus = (version: CustomResourceDefinitionVersion): boolean =>
    (haveOwn ? firstOf.get(version.name)! : { subresources }).subresources?.status !== undefined;
  return [
    ...validateGroup(group),
    ...(scope ? validateOneOf(scope, ['Cluster', 'Namespaced'], 'spec.scope') : [required('spec.scope')]),
    ...(validation?.openAPIV3Schema === undefined
      ? checkEach(versions, { place: 'presence of schemas' }, ({ schema }, index) =>
          schema?.openAPIV3Schema === undefined
            ? [required(`spec.versions[${index}].schema.openAPIV3Schema`, 'schemas are required')]
            : [],
        )
      : []),
    ...(spec.preserveUnknownFields === true &&
    (factsOf(validation?.openAPIV3Schema).hasDefaults ||
      versions.some(({ schema }) => factsOf(schema?.openAPIV3Schema).hasDefaults))
      ? [invalid('spec.preserveUnknownFields', true, 'must be false in order to use defaults in the schema')]
      : []),
    ...checkEach(versions, { place: 'versions', cost: 4 }, (version, index) =>
      validateVersion(version, `spec.versions[${index}]`, hasStatus(version), history, checker),
    ),
    ...validateVersionSet(spec.versions && versions),
    ...validateFirstVersion(versions[0]?.name ?? ''),
    ...requireNames(names, 'spec.names'),
    ...validateNames(names, 'spec.names'),
    ...validateValidation(
      validation,
      subresources?.status !== undefined || versions.some(hasStatus),
      'spec.validation',
      { history, isUnchanged: history.allUnchanged },
      checker,
    ),
    ...validateSubresources(subresources, 'spec.subresources'),
    ...additionalPrinterColumns.flatMap((column, index) =>
      validateColumn(column, `spec.additionalPrinterColumns[${index}]`),
    ),
    ...validateSelectableFields(
      selectableFields,
      validation?.openAPIV3Schema,
      'spec.selectableFields',
      'selectableFields may only be set when validations.schema is included',
    ),
    ...(conversion !== undefined && conversion.strategy !== 'None' && spec.preserveUnknownFields === true
      ? [
          invalid(
            'spec.conversion.strategy',
            conversion.strategy ?? '',
            'must be None if spec.preserveUnknownFields is true',
          ),
        ]
      : []),
    ...(conversion === undefined
      ? []
      : validateConversion(conversion, before?.conversion, 'spec.conversion')),
  ];
}

function validateGroup(group: string): FieldError[] {
  if (group === '') return [required('spec.group')];
  const texts = dns1123Subdomain(group);
  if (texts.length > 0) return [invalid('spec.group', group, texts.join(','))];
  return group.includes('.')
    ? []
    : [invalid('spec.group', group, 'should be a domain with at least one dot')];
}

function validateVersion(
  version: CustomResourceDefinitionVersion,
  field: string,
  hasStatus: boolean,
  history: RulesHistory,
  checker: SchemaChecker,
): FieldError[] {
  const { name = '', schema, subresources, additionalPrinterColumns = [], selectableFields } = version;
  const texts = dns1035Label(name);
  return [
    ...(texts.length === 0 ? [] : [invalid(`${field}.name`, name, texts.join(','))]),
    ...validateDeprecation(version, field),
    ...validateValidation(
      schema,
      hasStatus,
      `${field}.schema`,
      { history, isUnchanged: history.unchangedVersions.has(name) },
      checker,
    ),
    ...validateSubresources(subresources, `${field}.subresources`),
    ...additionalPrinterColumns.flatMap((column, index) =>
      validateColumn(column, `${field}.additionalPrinterColumns[${index}]`),
    ),
    // kube-apiserver's message says the opposite of the rule.
    ...validateSelectableFields(
      selectableFields,
      schema?.openAPIV3Schema,
      `${field}.selectableFields`,
      'selectableFields may only be set when version.schema.openAPIV3Schema is not included',
    ),
  ];
}

/** Validates the first version as `spec.version`, the deprecated field. */
function validateFirstVersion(name: string): FieldError[] {
  const texts = name === '' ? [] : dns1035Label(name);
  return texts.length === 0 ? [] : [invalid('spec.version', name, texts.join(','))];
}

function validateValidation(
  validation: CustomResourceValidation | undefined,
  hasStatus: boolean,
  field: string,
  { history, isUnchanged }: { readonly history: RulesHistory; readonly isUnchanged: boolean },
  checker: SchemaChecker,
): FieldError[] {
  const schema = validation?.openAPIV3Schema;
  if (schema === undefined) return [];
  const path = `${field}.openAPIV3Schema`;
  const atRoot = [
    ...(hasStatus ? validateRootWithStatus(schema, path) : []),
    ...(schema.nullable ? [forbidden(`${path}.nullable`, 'nullable cannot be true at the root')] : []),
  ];
  const keywords = validateSchema(schema, path);
  // `$schema` is not allowed at any depth; such a schema is not structural. Other errors hide this one.
  const { hasDialect, isSupported } = factsOf(schema);
  if (hasDialect)
    return atRoot.length + keywords.length > 0
      ? [...atRoot, ...keywords]
      : [invalid(path, '', "OpenAPIV3Schema 'schema' is not supported")];
  if (!isSupported) return [...atRoot, ...keywords];
  const structural = validateStructural(schema, path);
  if (structural.length > 0) return [...atRoot, ...structural, ...keywords];
  const defaults = checker.defaults(schema, path);
  if (defaults.length > 0) return [...atRoot, ...defaults, ...keywords];
  const hasErrors = fieldsBelow(keywords.map(({ field: place }) => place));
  return [
    ...atRoot,
    ...keywords,
    ...checkRules(checker, schema, path, { ...history, isUnchanged, hasErrors }),
  ];
}

/** Validates the rules of a schema, once for all runs of the validation. */
function checkRules(
  checker: SchemaChecker,
  schema: JSONSchemaProps,
  field: string,
  context: RulesContext,
): FieldError[] {
  const cost = costOfRules(schema);
  if (cost === 0) return [];
  return onceInTurns(schema, { place: `rules ${field}`, cost }, () =>
    uncounted(checker.rules(schema, field, context)),
  );
}

function validatePreservation(
  spec: CustomResourceDefinitionSpec,
  old: CustomResourceDefinitionSpec | undefined,
): FieldError[] {
  if (!spec.preserveUnknownFields || old?.preserveUnknownFields) return [];
  return [
    invalid(
      'spec.preserveUnknownFields',
      true,
      'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead',
    ),
  ];
}
