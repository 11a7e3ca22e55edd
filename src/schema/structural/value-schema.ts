/**
 * A schema of JSON values as plain data: the keywords of structural schemas that say what a value may be.
 * Names, default values and values of enumerations are parsed JSON.
 */
export interface ValueSchema {
  readonly type?: string;
  readonly format?: string;
  readonly nullable?: boolean;
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
  /** A schema for all other members, or whether there may be any. */
  readonly additionalProperties?: ValueSchema | boolean;
  readonly allOf?: readonly ValueSchema[];
  readonly anyOf?: readonly ValueSchema[];
  readonly oneOf?: readonly ValueSchema[];
  readonly not?: ValueSchema;
  readonly listType?: string;
  readonly listMapKeys?: readonly string[];
  readonly isIntOrString?: boolean;
  readonly isEmbeddedResource?: boolean;
  readonly preservesUnknownFields?: boolean;
}

/** What is wrong with a value; the form of a field error. */
export interface ValueError {
  readonly type:
    | 'FieldValueRequired'
    | 'FieldValueInvalid'
    | 'FieldValueNotSupported'
    | 'FieldValueDuplicate'
    | 'FieldValueTooLong'
    | 'FieldValueTooMany'
    | 'FieldValueTypeInvalid';
  /** Path of the value: that of the root, `.name` for members, `[0]` for elements. */
  readonly field: string;
  /** Message without the path. */
  readonly body: string;
}
