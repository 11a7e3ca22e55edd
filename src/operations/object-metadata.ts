import { quote } from '../errors/quote.ts';
import { nameIsPathSegment } from '../model/name-syntax.ts';
import type { KubernetesObject, ObjectMeta } from '../model/object.ts';
import { formatTime } from '../model/time.ts';
import { errors } from '../status/index.ts';
import type { OperationContext } from './environment.ts';

/** Returns the object's metadata; creates it if missing. */
export function metadataOf(object: KubernetesObject): ObjectMeta {
  object.metadata ??= {};
  return object.metadata;
}

/**
 * Sets or checks the namespace: an empty one becomes that of the path; cluster-scoped objects have none.
 * @throws ApiError 400
 */
export function checkNamespace(object: KubernetesObject, namespace: string): void {
  const metadata = metadataOf(object);
  if ((metadata.namespace ?? '') === namespace) return;
  if (metadata.namespace === undefined || metadata.namespace === '') metadata.namespace = namespace;
  else if (namespace === '') delete metadata.namespace;
  else
    throw errors.badRequest(
      'the namespace of the provided object does not match the namespace sent on the request',
    );
}

/** Gives a new object its identity. */
export function initializeMetadata(context: OperationContext, object: KubernetesObject): void {
  const metadata = metadataOf(object);
  metadata.uid = context.environment.uid();
  metadata.creationTimestamp = formatTime(context.environment.now());
}

/** Removes what only the server sets from the metadata that a client sent. Admission may set it again. */
export function wipeServerMetadata(object: KubernetesObject): void {
  const metadata = metadataOf(object);
  delete metadata.selfLink;
  delete metadata.uid;
  delete metadata.creationTimestamp;
  delete metadata.deletionTimestamp;
  delete metadata.deletionGracePeriodSeconds;
}

const MAXIMUM_GENERATED_PREFIX = 58;

/**
 * Generates a name from `generateName`: its first 58 characters and a five-character suffix, unless the kind
 * uses longer names. kube-apiserver copies such an object: labels that it shared with its template are its own.
 */
export function generateName(context: OperationContext, metadata: ObjectMeta): void {
  const { strategy } = context.resource;
  if (metadata.labels !== undefined) metadata.labels = { ...metadata.labels };
  metadata.name =
    strategy.metadata?.usesGenerateNameAsName === true
      ? metadata.generateName!
      : metadata.generateName!.slice(0, MAXIMUM_GENERATED_PREFIX) + context.environment.nameSuffix();
}

/** Checks that a name in a path can be a segment of a key. @throws ApiError 400 */
export function checkPathName(name: string): void {
  const problems = nameIsPathSegment(name, false);
  if (problems.length > 0)
    throw errors.badRequest(`Name parameter invalid: ${quote(name)}: ${problems.join(';')}`);
}

/** Restores server-managed fields, and fields that an update cannot remove. */
export function preserveServerMetadata(
  { dryRun }: OperationContext,
  object: KubernetesObject,
  old: KubernetesObject,
): void {
  const metadata = metadataOf(object);
  const before = old.metadata!;
  // The store drops it; a dry run does not reach the store.
  if (!dryRun) delete metadata.selfLink;
  metadata.generation = before.generation;
  if (metadata.uid === undefined || metadata.uid === '') metadata.uid = before.uid;
  metadata.creationTimestamp = before.creationTimestamp;
  // An update cannot remove deletionTimestamp; validation rejects setting it.
  if (before.deletionTimestamp !== undefined) {
    metadata.deletionTimestamp = before.deletionTimestamp;
    metadata.deletionGracePeriodSeconds ??= before.deletionGracePeriodSeconds;
  }
}
