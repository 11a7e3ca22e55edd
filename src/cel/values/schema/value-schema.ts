/**
 * The part of a structural schema that determines values. Members are looked up lazily, so that schemas can
 * be recursive.
 */
export interface ValueSchema {
  readonly type: 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean' | '';
  readonly format?: string;
  readonly nullable?: boolean;
  readonly intOrString?: boolean;
  /**
   * The schema of a property by JSON name; undefined when not declared. Absent for objects without declared
   * properties.
   */
  readonly property?: (name: string) => ValueSchema | undefined;
  /** The schema of all map values. */
  readonly additionalProperties?: ValueSchema;
  readonly items?: ValueSchema;
  /** `x-kubernetes-list-type`. */
  readonly listType?: string;
  /** `x-kubernetes-list-map-keys`, as JSON names. */
  readonly listMapKeys?: readonly string[];
  readonly preserveUnknownFields?: boolean;
}
