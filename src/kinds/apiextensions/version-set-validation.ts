import type {
  CustomResourceDefinition,
  CustomResourceDefinitionVersion,
} from '../../model/generated/apiextensions-v1.ts';
import { type FieldError, invalid, invalidFormatted } from '../../status/field-error.ts';
import { formatGoList, formatGoPointer, formatGoStruct, formatGoText } from '../validation/format-struct.ts';
import { formatGoStrings } from '../validation/format-value.ts';

/** Validates the versions of a definition as a whole: unique names and one storage version. */
export function validateVersionSet(
  given: readonly CustomResourceDefinitionVersion[] | undefined,
): FieldError[] {
  const versions = given ?? [];
  const reject = (text: string): FieldError =>
    invalidFormatted(
      'spec.versions',
      formatGoList('apiextensions.CustomResourceDefinitionVersion', given, formatVersion),
      text,
    );
  return [
    ...(new Set(versions.map(({ name }) => name)).size < versions.length
      ? [reject('must contain unique version names')]
      : []),
    ...(versions.filter(({ storage }) => storage).length === 1
      ? []
      : [reject('must have exactly one version marked as storage version')]),
  ];
}

const formatVersion = (version: CustomResourceDefinitionVersion): string =>
  formatGoStruct('apiextensions.CustomResourceDefinitionVersion', {
    Name: formatGoText(version.name),
    Served: String(version.served ?? false),
    Storage: String(version.storage ?? false),
    Deprecated: String(version.deprecated ?? false),
    DeprecationWarning: formatGoPointer('string', version.deprecationWarning),
    Schema: formatGoPointer('apiextensions.CustomResourceValidation', version.schema),
    Subresources: formatGoPointer('apiextensions.CustomResourceSubresources', version.subresources),
    AdditionalPrinterColumns: formatGoList(
      'apiextensions.CustomResourceColumnDefinition',
      version.additionalPrinterColumns,
      () => '{…}',
    ),
    SelectableFields: formatGoList('apiextensions.SelectableField', version.selectableFields, () => '{…}'),
  });

/** Validates `status.storedVersions` against the versions of the spec. */
export function validateStoredVersions({ spec = {}, status = {} }: CustomResourceDefinition): FieldError[] {
  const { versions = [] } = spec;
  const { storedVersions } = status;
  const field = 'status.storedVersions';
  const reject = (text: string): FieldError => invalidFormatted(field, formatGoStrings(storedVersions), text);
  if ((storedVersions ?? []).length === 0) return [reject('must have at least one stored version')];
  const unknown = new Map(storedVersions!.map((name, index) => [name, index]));
  const missing: string[] = [];
  // Each entry of storedVersions matches one version: a second storage version of the same name is missing.
  for (const { name = '', storage } of versions) if (!unknown.delete(name) && storage) missing.push(name);
  return [
    ...missing.map((name) => reject(`must have the storage version ${name}`)),
    ...[...unknown].map(([name, index]) =>
      invalid(`${field}[${index}]`, name, 'must appear in spec.versions'),
    ),
  ];
}
