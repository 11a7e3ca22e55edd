/**
 * A JSON schema as plain data: the keywords of structural schemas that constrain values. Defaults and
 * enumeration values are parsed JSON.
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
  /** Schema of all other members, or whether they are allowed. */
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
