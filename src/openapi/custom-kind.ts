import type { Dialect, Schema } from './document.ts';

/** The published schemas of a custom kind, which has no message type. */
export interface CustomKind {
  /** Name of the kind's schema: `com.example.v1.Kind`. */
  readonly name: string;
  /** Name of its list's schema. */
  readonly listName: string;
  /** Changes with everything that the schemas depend on, besides the resource itself. */
  readonly hash: string;
  /** The schemas of the kind and its list, by name. */
  schemas(dialect: Dialect): Readonly<Record<string, Schema>>;
}
