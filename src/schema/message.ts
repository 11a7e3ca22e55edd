/**
 * Run-time type descriptors, from which codecs, defaulting, patches, apply and OpenAPI are derived.
 * Declarations (`src/model/types/*`) are compiled into descriptors on first use; descriptors are immutable.
 */

/** Scalar types of JSON and protobuf values. */
export type ScalarType = 'string' | 'boolean' | 'int32' | 'int64' | 'double' | 'bytes';

/**
 * JSON form of a message that is not an object of its fields.
 * - `time`, `microTime`: RFC 3339 text or null · `duration`: Go duration text · `quantity`: canonical
 *   quantity text
 * - `intOrString`: number or string · `raw`: any JSON object, kept verbatim as {@link RawJson} (RawExtension,
 *   FieldsV1)
 * - `any`: any JSON value, kept verbatim as {@link RawJson} (apiextensions JSON)
 * - `array`: a bare JSON array although protobuf has a message (ExtraValue, Verbs)
 * - `schemaOrArray`, `schemaOrBool`, `schemaOrStringArray`: the unions inside JSONSchemaProps
 */
export type MessageForm =
  | 'object'
  | 'time'
  | 'microTime'
  | 'duration'
  | 'quantity'
  | 'intOrString'
  | 'raw'
  | 'any'
  | 'array'
  | 'schemaOrArray'
  | 'schemaOrBool'
  | 'schemaOrStringArray'
  | 'groupVersion'
  | 'unknown';

/** The type of one value: a scalar, or a message resolved lazily (types are recursive). */
export type ValueType =
  | { readonly scalar: ScalarType; readonly message?: undefined }
  | { readonly scalar?: undefined; readonly message: MessageType };

export type ListType = 'atomic' | 'set' | 'map';

/** One member of a message. Values in memory are plain data: see `src/model/object.ts`. */
export interface Field {
  /** JSON name. */
  readonly name: string;
  /** Protobuf field number; 0 where the field has no protobuf form. */
  readonly number: number;
  /** Protobuf name (differs from `name` for a few fields). */
  readonly protobufName: string;
  readonly shape: 'single' | 'list' | 'map';
  /** Type of the value, of each list item, or of each map value. Map keys are strings. */
  readonly type: ValueType;
  /** Go pointer: unset and zero differ, and zero is encoded. */
  readonly pointer: boolean;
  /** JSON text of an unset member; undefined: the member is omitted. */
  readonly unsetJson: string | undefined;
  /** Protobuf encodes the zero value when unset (gogo non-nullable fields). */
  readonly writtenWhenUnset: boolean;
  /**
   * In JSON, the members of this message are part of the outer object; in protobuf it is a nested message.
   */
  readonly inline: boolean;
  /** The field exists in protobuf only. */
  readonly hiddenInJson: boolean;
  readonly required: boolean;
  readonly nullable: boolean;
  /** OpenAPI default, or undefined. */
  readonly default: unknown;
  readonly itemsDefault: unknown;
  readonly enum: readonly string[] | undefined;
  readonly itemsEnum: readonly string[] | undefined;
  readonly listType: ListType | undefined;
  readonly listMapKeys: readonly string[] | undefined;
  readonly mapType: 'atomic' | 'granular' | undefined;
  readonly patchStrategy: string | undefined;
  readonly patchMergeKey: string | undefined;
  /** Go's name of the type of its strings, where it is not `string`: error messages name it. */
  readonly goType: string | undefined;
}

/** One message (struct) of the API. */
export interface MessageType {
  /** Key in the model: `<group file>.<Type>`, for example `core_v1.PodSpec`. */
  readonly name: string;
  /** Short type name, for example `PodSpec`. */
  readonly shortName: string;
  /**
   * Group and version of the API that the message belongs to; the version is empty for meta types that all
   * groups share.
   */
  readonly group: string;
  readonly version: string;
  /** The kind of a top-level message, or undefined for messages that are only nested. */
  readonly kind: string | undefined;
  /** Full protobuf message name, or undefined where the message has no protobuf form. */
  readonly protobuf: string | undefined;
  /** OpenAPI schema name, or undefined where none is published. */
  readonly openapi: string | undefined;
  readonly form: MessageForm;
  /** The message has `kind` and `apiVersion`: first in JSON, absent from the protobuf message. */
  readonly typeMeta: boolean;
  /** Fields in protobuf order. */
  readonly fields: readonly Field[];
  /** Fields in JSON member order, with inline members expanded and without fields hidden in JSON. */
  readonly jsonFields: readonly Field[];
  /**
   * Fields by JSON name, with inline members and without fields hidden in JSON. A Map, so that `__proto__` is
   * an ordinary name.
   */
  readonly byName: ReadonlyMap<string, Field>;
  /** Item type of a message of form `array`. */
  readonly items: ValueType | undefined;
  readonly mapType: 'atomic' | 'granular' | undefined;
  readonly unions: readonly unknown[] | undefined;
}
