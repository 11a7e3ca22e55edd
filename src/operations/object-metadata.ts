import type { KubernetesObject, ObjectMeta } from '../model/object.ts';
import { semanticEqual } from '../registry/validation/semantic-equal.ts';
import type { MessageType } from '../schema/message.ts';
import { errors } from '../status/index.ts';
import { formatTime, type OperationContext } from './environment.ts';

/** The object's own metadata object, made when missing. */
export function metadataOf(object: KubernetesObject): ObjectMeta {
  object.metadata ??= {};
  return object.metadata;
}

/**
 * Fits the object's namespace to the path: empty takes the path's, cluster-scoped objects have none.
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

/** Drops what only the server sets, and sets it for a new object. */
export function initializeMetadata(context: OperationContext, object: KubernetesObject): void {
  const metadata = metadataOf(object);
  delete metadata.selfLink;
  delete metadata.deletionTimestamp;
  delete metadata.deletionGracePeriodSeconds;
  metadata.uid = context.environment.uid();
  metadata.creationTimestamp = formatTime(context.environment.now());
}

const MAXIMUM_GENERATED_PREFIX = 58;

/**
 * A new name from `generateName`: its first 58 characters and five random ones, unless the kind takes it as
 * it is.
 */
export function generateName(context: OperationContext, metadata: ObjectMeta): void {
  const { strategy } = context.resource;
  metadata.name =
    strategy.usesGenerateNameAsName === true
      ? metadata.generateName!
      : metadata.generateName!.slice(0, MAXIMUM_GENERATED_PREFIX) + context.environment.nameSuffix();
}

/** Puts back what an update may leave out or cannot change by leaving it out. */
export function preserveServerMetadata(object: KubernetesObject, old: KubernetesObject): void {
  const metadata = metadataOf(object);
  const before = old.metadata!;
  delete metadata.selfLink;
  metadata.generation = before.generation;
  if (metadata.uid === undefined || metadata.uid === '') metadata.uid = before.uid;
  metadata.creationTimestamp = before.creationTimestamp;
  // A deletion mark is not taken back by an update; setting one is refused by validation.
  if (before.deletionTimestamp !== undefined) {
    metadata.deletionTimestamp = before.deletionTimestamp;
    metadata.deletionGracePeriodSeconds ??= before.deletionGracePeriodSeconds;
  }
}

/** Whether anything but metadata and status differs. @param type the form that both are in */
export function specChanged(object: KubernetesObject, old: KubernetesObject, type: MessageType): boolean {
  const names = new Set([...Object.keys(object), ...Object.keys(old)]);
  for (const name of names) {
    if (name === 'metadata' || name === 'status' || name === 'kind' || name === 'apiVersion') continue;
    if (!semanticEqual({ [name]: object[name] }, { [name]: old[name] }, type)) return true;
  }
  return false;
}
