/**
 * What values need to know of a structural schema. Members are asked lazily, so that a schema can be
 * recursive and costs nothing that isn't touched.
 */
export interface ValueSchema {
  readonly type: 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean' | '';
  readonly format?: string;
  readonly nullable?: boolean;
  readonly intOrString?: boolean;
  /**
   * The schema of a property by its name in JSON; undefined when there is none. Absent for objects without
   * declared properties.
   */
  readonly property?: (name: string) => ValueSchema | undefined;
  /** The schema of all values of a map. */
  readonly additionalProperties?: ValueSchema;
  readonly items?: ValueSchema;
  /** `x-kubernetes-list-type`. */
  readonly listType?: string;
  /** `x-kubernetes-list-map-keys`: names in JSON. */
  readonly listMapKeys?: readonly string[];
  readonly preserveUnknownFields?: boolean;
}
