import { aggregate } from '../../../errors/aggregate.ts';
import { validateStructural } from '../../../kinds/apiextensions/structural-validation.ts';
import type {
  CustomResourceDefinition,
  CustomResourceDefinitionNames,
  CustomResourceDefinitionStatus,
  JSONSchemaProps,
} from '../../../model/generated/apiextensions-v1.ts';
import { type FieldError, formatFieldError, invalid } from '../../../status/field-error.ts';

/** A version without its schema. */
export interface DefinitionVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
}

/** The part of a definition that the server's control loops read; it holds no schemas. */
export interface Definition {
  readonly name: string;
  readonly uid: string;
  readonly annotations: ReadonlyMap<string, string>;
  readonly finalizers: readonly string[];
  /** Whether the definition has a deletionTimestamp. */
  readonly deleted: boolean;
  readonly group: string;
  readonly names: CustomResourceDefinitionNames;
  readonly versions: readonly DefinitionVersion[];
  /** CA bundle of the conversion webhook, base64; empty for none. */
  readonly caBundle: string;
  /**
   * The faults of a definition that was stored before schemas had to be structural; undefined if it has none.
   */
  readonly violations: string | undefined;
  readonly status: CustomResourceDefinitionStatus;
}

/** The versions of a definition without their schemas. */
const versionsOf = ({ versions = [] }: NonNullable<CustomResourceDefinition['spec']>): DefinitionVersion[] =>
  versions.map(({ name = '', served = false, storage = false }) => ({ name, served, storage }));

/** Returns the part of a definition that the control loops read. */
export function summarize({ metadata = {}, spec = {}, status = {} }: CustomResourceDefinition): Definition {
  return {
    name: metadata.name ?? '',
    uid: metadata.uid ?? '',
    annotations: new Map(Object.entries(metadata.annotations ?? {})),
    finalizers: metadata.finalizers ?? [],
    deleted: metadata.deletionTimestamp !== undefined,
    group: spec.group ?? '',
    names: spec.names ?? {},
    versions: versionsOf(spec),
    caBundle: spec.conversion?.webhook?.clientConfig?.caBundle ?? '',
    violations: violationsOf(spec),
    status,
  };
}

/**
 * Schemas had to be structural unless `preserveUnknownFields` was true, so only such definitions are
 * validated.
 */
function violationsOf({
  preserveUnknownFields,
  versions = [],
}: NonNullable<CustomResourceDefinition['spec']>): string | undefined {
  if (preserveUnknownFields !== true) return undefined;
  const errors: FieldError[] = [
    invalid('spec.preserveUnknownFields', true, 'must be false'),
    ...versions.flatMap(({ schema }, index) =>
      schema?.openAPIV3Schema === undefined
        ? []
        : validateStructural(
            schema.openAPIV3Schema as JSONSchemaProps,
            `spec.versions[${index}].schema.openAPIV3Schema`,
          ),
    ),
  ];
  return aggregate(errors.map(formatFieldError));
}
