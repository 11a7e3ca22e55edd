import type { FieldError, FieldErrorType } from '../../status/field-error.ts';

/**
 * A JSON schema as plain data: the keywords of structural schemas that constrain, prune or default values.
 * Defaults and enumeration values are parsed JSON.
 */
export interface ValueSchema {
  readonly type?: string;
  /** Absent unless it is checked. */
  readonly format?: string;
  /** Numbers are within the range of the type and the format. */
  readonly checksRange?: boolean;
  readonly nullable?: boolean;
  /** Set where a member is absent; null counts as no default. */
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly maximum?: number;
  readonly exclusiveMaximum?: boolean;
  readonly minimum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly multipleOf?: number;
  readonly maxLength?: number;
  readonly minLength?: number;
  readonly pattern?: string;
  readonly maxItems?: number;
  readonly minItems?: number;
  readonly uniqueItems?: boolean;
  readonly maxProperties?: number;
  readonly minProperties?: number;
  readonly required?: readonly string[];
  readonly items?: ValueSchema;
  readonly properties?: ReadonlyMap<string, ValueSchema>;
  /** Schema of all other members, or whether they are allowed. */
  readonly additionalProperties?: ValueSchema | boolean;
  readonly allOf?: readonly ValueSchema[];
  readonly anyOf?: readonly ValueSchema[];
  readonly oneOf?: readonly ValueSchema[];
  readonly not?: ValueSchema;
  /** `atomic`, `set` or `map`. */
  readonly listType?: string;
  readonly listMapKeys?: readonly string[];
  /** `atomic` or `granular`. */
  readonly mapType?: string;
  readonly isIntOrString?: boolean;
  readonly isEmbeddedResource?: boolean;
  readonly preservesUnknownFields?: boolean;
}

/** Errors after which validation rules are not evaluated, because they could not rely on the types. */
const BLOCKING: ReadonlySet<FieldErrorType> = new Set([
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
  'FieldValueNotSupported',
]);

/** Returns whether an error keeps the validation rules (CEL) of the object from being evaluated. */
export const isBlocking = ({ type }: FieldError): boolean => BLOCKING.has(type);
