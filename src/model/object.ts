import { setMember } from '../schema/structural/json.ts';
/**
 * The representation of API objects in memory: plain JSON-like data in the versioned form.
 * - an absent member is `undefined` (never null, except that `null` is a valid time); empty lists and maps
 *   are kept as decoded
 * - int64 beyond the range of safe integers are bigint; bytes are standard base64 text; quantities are
 *   canonical text; times are RFC 3339 text
 * - free-form JSON (RawExtension, FieldsV1, JSON) is a {@link RawJson}: its text, parsed only when a caller
 *   reads its content
 * - typed messages are ordinary objects; maps with untrusted keys are filled only through {@link setMember}
 */
export interface KubernetesObject {
  apiVersion?: string;
  kind?: string;
  metadata?: ObjectMeta;
  [member: string]: unknown;
}

export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
}

export interface ManagedFieldsEntry {
  manager?: string;
  operation?: string;
  apiVersion?: string;
  time?: string | null;
  fieldsType?: string;
  fieldsV1?: RawJson;
  subresource?: string;
}

export interface ObjectMeta {
  name?: string;
  generateName?: string;
  namespace?: string;
  selfLink?: string;
  uid?: string;
  resourceVersion?: string;
  generation?: number;
  creationTimestamp?: string | null;
  deletionTimestamp?: string;
  deletionGracePeriodSeconds?: number;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  ownerReferences?: OwnerReference[];
  finalizers?: string[];
  managedFields?: ManagedFieldsEntry[];
}

/** JSON text kept verbatim (compact, HTML characters escaped when written). */
export class RawJson {
  /** @param text compact, valid JSON */
  constructor(readonly text: string) {}
  parse(): unknown {
    return JSON.parse(this.text);
  }
  static of(value: unknown): RawJson {
    return new RawJson(JSON.stringify(value));
  }
}

/** The value of free-form data that is kept as text; other values as they are. */
export const plainValue = (value: unknown): unknown => (value instanceof RawJson ? value.parse() : value);

const LAST_GENERATION = 2n ** 63n - 1n;

/**
 * The next generation. Clients can send values beyond 2^53, which are bigint; the maximum int64 is not
 * incremented.
 */
export function nextGeneration(generation: number | bigint = 0): number {
  if (typeof generation === 'number' && generation < Number.MAX_SAFE_INTEGER) return generation + 1;
  const next = BigInt(generation) + 1n;
  return (next > LAST_GENERATION ? LAST_GENERATION : next) as unknown as number;
}

export { setMember };

/** Reads own members only: inherited names such as `constructor` are absent. */
export function getMember(target: object, key: string): unknown {
  return Object.hasOwn(target, key) ? (target as Record<string, unknown>)[key] : undefined;
}

/** Returns the value at a path of names of members; undefined when it is absent or leads through a list. */
export function memberAt(target: object, names: readonly string[]): unknown {
  let value: unknown = target;
  for (const name of names) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    value = getMember(value, name);
  }
  return value;
}

export interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}
export interface GroupVersionResource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}

/** `v1` for the core group, `group/version` otherwise. */
export function apiVersionOf(group: string, version: string): string {
  return group === '' ? version : `${group}/${version}`;
}

/** The path prefix of the resources of a group version: `/api/v1`, `/apis/group/version`. */
export function apiRootOf(group: string, version: string): string {
  return group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
}

/** `resource` for the core group, `resource.group` otherwise. */
export function groupResourceOf(group: string, resource: string): string {
  return group === '' ? resource : `${resource}.${group}`;
}

/** Splits an apiVersion; undefined when it has more than one slash. */
export function parseApiVersion(apiVersion: string): { group: string; version: string } | undefined {
  const parts = apiVersion.split('/', 3);
  if (parts.length === 1) return { group: '', version: parts[0]! };
  if (parts.length === 2) return { group: parts[0]!, version: parts[1]! };
  return undefined;
}
