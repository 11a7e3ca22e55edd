import type { ManagedFieldsEntry } from '../model/object.ts';
import type { Steps } from '../steps/steps.ts';
import type { FieldSet } from './field-set.ts';
import { fieldSetOf } from './field-set-builder.ts';
import { decodeManagers, encodeManagers, type Manager } from './managed.ts';
import { fieldElement, type PathElement } from './path-element.ts';

/** The version of every Scale. */
export const SCALE_VERSION = 'autoscaling/v1';
const REPLICAS_OF_SCALE = ['spec', 'replicas'].map(fieldElement);

/** The kind that a Scale scales. */
export interface ScaledKind {
  /** Version of the request. */
  readonly apiVersion: string;
  /** Path of the replicas in the version of the request. */
  readonly replicas: readonly string[];
  /** Path of the replicas in a version; empty if it has no scale, undefined if it is none of the kind. */
  replicasIn(apiVersion: string): readonly string[] | undefined;
}

/** The owners of the Scale of an object: the owners of its replicas, in the version of the Scale. */
export function* scaleOwners(
  kind: ScaledKind,
  entries: readonly ManagedFieldsEntry[] | undefined,
): Steps<ManagedFieldsEntry[] | undefined> {
  const owners = new Map<string, Manager>();
  for (const [key, manager] of (yield* decodeManagers(entries)) ?? [])
    if (contains(manager.fields, kind.replicasIn(manager.apiVersion)?.map(fieldElement)))
      owners.set(key, { ...manager, apiVersion: SCALE_VERSION, fields: fieldSetOf(REPLICAS_OF_SCALE) });
  return yield* encodeManagers(owners);
}

/**
 * The owners of an object after a write of its Scale. As in kube-apiserver, an updater of the object gets an
 * entry of its own for the replicas, even if it owned them before.
 * @param scaleEntries the owners of the Scale after the write
 */
export function* scaledOwners(
  kind: ScaledKind,
  entries: readonly ManagedFieldsEntry[] | undefined,
  scaleEntries: readonly ManagedFieldsEntry[] | undefined,
): Steps<ManagedFieldsEntry[] | undefined> {
  const owners = new Map<string, Manager>();
  const ofScale = new Map(yield* decodeManagers(scaleEntries));
  for (const [key, manager] of (yield* decodeManagers(entries)) ?? []) {
    const path = kind.replicasIn(manager.apiVersion)?.map(fieldElement);
    if (path === undefined) continue;
    if (!contains(manager.fields, path) || ofScale.delete(key)) {
      owners.set(key, manager);
      continue;
    }
    const fields = manager.fields.difference(fieldSetOf(path));
    if (!fields.isEmpty) owners.set(key, { ...manager, fields });
  }
  const replicas = fieldSetOf(kind.replicas.map(fieldElement));
  for (const [key, manager] of ofScale) {
    if (!contains(manager.fields, REPLICAS_OF_SCALE)) continue;
    owners.set(key, { ...manager, apiVersion: kind.apiVersion, fields: replicas, time: undefined });
  }
  return yield* encodeManagers(owners);
}

/** Whether a path is a member of a set; no path is none. */
function contains(fields: FieldSet, path: readonly PathElement[] = []): boolean {
  if (path.length === 0) return false;
  let node: FieldSet | undefined = fields;
  for (const element of path) node = node?.children.get(element);
  return node?.member === true;
}
