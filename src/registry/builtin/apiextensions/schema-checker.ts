import type { JSONSchemaProps } from '../../../model/generated/apiextensions-v1.ts';
import type { FieldError } from '../../../status/field-error.ts';

/** What only an engine for values and expressions can say about the schema of a version. `field` is where the schema stands. */
export interface SchemaChecker {
  /** Whether the expressions of its rules compile and what they may cost; asked of every schema that can be structural. */
  rules(root: JSONSchemaProps, field: string): FieldError[];
  /** Whether its defaults fit it; asked only of schemas without other errors. */
  defaults(root: JSONSchemaProps, field: string): FieldError[];
}

/** Takes every rule and every default as it stands. */
export const UNCHECKED: SchemaChecker = { rules: () => [], defaults: () => [] };
