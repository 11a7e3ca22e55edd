/** The parts of OpenAPI documents, in their JSON form. */

export type Dialect = 'v2' | 'v3';
export interface Schema {
  [member: string]: unknown;
}
export interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** A query or path parameter, identical in all operations that use it. */
export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly type: 'string' | 'boolean' | 'integer';
  readonly description: string;
  /**
   * Name among the shared parameters of version 2, known to generated clients; undefined: written in each
   * operation.
   */
  readonly shared?: string;
}

/** The body of a request or response: the schema of a message by name, or text. */
export type Content = { readonly schema: string } | 'text';

/** One method of a path, independent of the OpenAPI version. */
export interface Operation {
  readonly method: 'get' | 'put' | 'post' | 'delete' | 'options' | 'head' | 'patch';
  readonly id: string;
  readonly tag: string;
  readonly description: string;
  /** `list`, `watchlist`, `connect` …; undefined for discovery documents. */
  readonly action?: string;
  readonly kind?: GroupVersionKind;
  readonly consumes: readonly string[] | undefined;
  readonly produces: readonly string[];
  readonly parameters: readonly Parameter[];
  readonly body?: { readonly schema: string; readonly required: boolean };
  /** Responses by status, besides 401. */
  readonly responses: readonly (readonly [status: number, content: Content])[];
}

/** What documents say about a release. */
export interface DescribedRelease {
  /** For example `1.32`. */
  readonly minor: string;
  /** All current and former group versions: objects of each can carry delete options and watch events. */
  readonly groupVersions: readonly { readonly group: string; readonly version: string }[];
  /** Members of the version document that are not always there. */
  readonly optionalVersionMembers: readonly string[];
}

export interface Path {
  readonly path: string;
  readonly operations: readonly Operation[];
  /** Parameters of all operations, by name. */
  readonly parameters: readonly Parameter[];
}

/** Sorted by name, path parameters before query parameters. */
export function byName(parameters: readonly Parameter[]): Parameter[] {
  return [...parameters].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.in < b.in ? -1 : 1));
}

/** @param minor for example `1.32` */
export const infoOf = (minor: string) => ({ title: 'Kubernetes', version: minor }) as const;
export const SECURITY = {
  BearerToken: {
    type: 'apiKey',
    description: 'Bearer Token authentication',
    name: 'authorization',
    in: 'header',
  },
} as const;
/** Documents of custom resources have no security schemes. */
export const CUSTOM_INFO = { title: 'Kubernetes CRD Swagger', version: 'v0.1.0' } as const;
export const UNAUTHORIZED = 'Unauthorized';
