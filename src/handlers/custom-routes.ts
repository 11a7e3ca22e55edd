import type { RequestContext } from '../request/context.ts';
import type { ResourceRow, SubresourceRow } from '../resources/resource-set.ts';
import { errors } from '../status/index.ts';
import type { MaybePromise } from '../steps/steps.ts';
import type { HandlerEnvironment } from './environment.ts';
import { createObject, requireCreations } from './verbs/create.ts';
import { deleteObject } from './verbs/delete.ts';
import { deleteCollection } from './verbs/delete-collection.ts';
import { getObject } from './verbs/get.ts';
import { listObjects } from './verbs/list.ts';
import { patchObject } from './verbs/patch.ts';
import { updateObject } from './verbs/update.ts';
import { watchObjects } from './verbs/watch.ts';

/** Whether the path has a namespace if the resource is namespaced. Only lists and watches go without one. */
export const fitsCustomScope = (row: ResourceRow, { info }: RequestContext): boolean =>
  row.namespaced
    ? info.namespace !== '' || info.verb === 'list' || info.verb === 'watch'
    : info.namespace === '';

/**
 * Serves a custom resource. Its verb decides, whatever the form of the path, as in kube-apiserver: PUT of a
 * collection is an update without a name, POST to an object a creation.
 */
export function serveCustomResource(
  environment: HandlerEnvironment,
  context: RequestContext,
  row: ResourceRow,
): MaybePromise<void> {
  const { info } = context;
  const resource = environment.resources.serve(row);
  context.isHandled = true;
  switch (info.verb) {
    case 'get':
      return getObject(context, resource, environment);
    case 'list':
      return listObjects(context, resource, environment);
    case 'watch':
      return watchObjects(context, resource, environment);
    case 'create':
      requireCreations(row, context);
      return createObject(context, resource, environment);
    case 'update':
      requireName(context);
      return updateObject(context, resource, environment);
    case 'patch':
      requireName(context);
      return patchObject(context, resource, environment);
    case 'delete':
      return deleteObject(context, resource, environment);
    case 'deletecollection':
      return deleteCollection(context, resource, environment);
    default:
      throw errors.methodNotSupported(row, info.verb);
  }
}

/** Finds the subresource of a custom resource. @throws ApiError 404 or 405 */
export function customSubresource(row: ResourceRow, { info }: RequestContext): SubresourceRow {
  const known = row.subresources.find(({ name }) => name === info.subresource);
  if (known === undefined || info.rest.length > 0) throw errors.notFound(row, info.pathName);
  if (!known.verbs.some((verb) => verb === info.verb)) throw errors.methodNotSupported(row, info.verb);
  return known;
}

/** @throws ApiError 400 */
function requireName({ info }: RequestContext): void {
  if (info.name === '') throw errors.badRequest('name must be provided');
}
