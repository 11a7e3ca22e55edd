import { restoreMembers } from '../../kinds/restore-status.ts';
import { type KubernetesObject, nextGeneration } from '../../model/object.ts';
import type { ServedResource } from '../../resources/served-resource.ts';
import { initializeMetadata, preserveServerMetadata } from '../object-metadata.ts';
import type { Creation } from './creation.ts';
import type { Update } from './update.ts';

/**
 * Gives a new object its identity and applies the creation rules of the kind.
 * Reads: view. Changes: object, name, givenVersion.
 */
export function prepareNew(write: Creation): void {
  const { context, object, view } = write;
  const { resource } = context;
  const { strategy } = resource;
  initializeMetadata(context, object);
  const metadata = object.metadata!;
  write.givenVersion = metadata.resourceVersion ?? '';
  delete metadata.resourceVersion;
  if (hasStatus(resource) && strategy.status?.keptOnCreate !== true) delete object.status;
  strategy.dropDisabledFields?.(object, undefined, view);
  strategy.prepareForCreate?.(object, view);
  if (strategy.managesGeneration === true) metadata.generation = 1;
  write.name = metadata.name ?? '';
}

/**
 * Restores what an update cannot change and applies the update rules of the kind, or of the subresource.
 * Reads: old, view. Changes: object.
 */
export function prepareChanged(write: Update): void {
  const { context, object, old, view } = write;
  const { resource, subresource } = context;
  preserveServerMetadata(context, object, old);
  resource.strategy.dropDisabledFields?.(object, old, view);
  if (subresource === '') prepareWhole(write);
  else prepareThrough(subresource, write);
  // A status update changes nothing that a controller must observe.
  if (resource.strategy.managesGeneration === true && subresource !== 'status')
    setGeneration(resource, object, old);
}

function prepareWhole({ context, object, old, view }: Update): void {
  const { resource } = context;
  const { strategy } = resource;
  if (strategy.status?.writtenByUpdates !== true && hasStatus(resource)) {
    if (old.status === undefined) delete object.status;
    else object.status = old.status;
  }
  strategy.prepareForUpdate?.(object, old, view);
}

function prepareThrough(subresource: string, { context, object, old, view }: Update): void {
  const { strategy } = context.resource;
  if (strategy.prepareForSubresource?.[subresource] !== undefined) {
    strategy.prepareForSubresource[subresource](object, old, view);
    return;
  }
  if (subresource !== 'status') return;
  restoreMembers(object, old);
  if (strategy.status?.updatesMetadata !== false) return;
  const { labels, annotations, finalizers, ownerReferences } = old.metadata!;
  Object.assign(object.metadata!, { labels, annotations, finalizers, ownerReferences });
  delete object.metadata!.selfLink;
}

function setGeneration(
  { strategy, schema }: ServedResource,
  object: KubernetesObject,
  old: KubernetesObject,
): void {
  const changed = strategy.generationChanged?.(object, old) ?? schema.specChanged(object, old);
  object.metadata!.generation = changed ? nextGeneration(old.metadata!.generation) : old.metadata!.generation;
}

const hasStatus = ({ row }: ServedResource): boolean =>
  row.subresources.some(({ name }) => name === 'status');
