import { DEPRECATED_ANNOTATION, REMOVED_RELEASE_ANNOTATION, removedRelease } from '../kinds/deprecation.ts';
import type { Handler, RequestContext } from '../request/context.ts';
import { respondText } from '../request/respond-text.ts';
import { inHandlerSpan } from '../request/spans.ts';
import type { ResourceRow, SubresourceRow, Verb } from '../resources/resource-set.ts';
import { errors } from '../status/index.ts';
import { customSubresource, fitsCustomScope, serveCustomResource } from './custom-routes.ts';
import type { HandlerEnvironment } from './environment.ts';
import { createObject } from './verbs/create.ts';
import { deleteObject } from './verbs/delete.ts';
import { deleteCollection } from './verbs/delete-collection.ts';
import { getObject } from './verbs/get.ts';
import { listObjects } from './verbs/list.ts';
import { patchObject } from './verbs/patch.ts';
import { updateObject } from './verbs/update.ts';
import { watchObjects } from './verbs/watch.ts';

export interface RouterOptions {
  readonly environment: HandlerEnvironment;
  /** Non-resource paths: exact (`/version`) or prefixes (`/openapi/`). */
  readonly paths: { find(path: string): Handler | undefined };
  /** Kinds without storage by `group/resource`. */
  readonly virtual: ReadonlyMap<string, (context: RequestContext, row: ResourceRow) => void | Promise<void>>;
  /**
   * Subresources with another form than the object by `group/resource/subresource`; `*` matches any resource.
   */
  readonly subresources: ReadonlyMap<
    string,
    (context: RequestContext, row: ResourceRow) => void | Promise<void>
  >;
  /** The handler that passes requests on to the extension server of a group version, if it has one. */
  extensionServer(group: string, version: string): Handler | undefined;
  /** The handler of resources without kinds here that this server measures itself, unless an extension server has them. */
  ownServer?(group: string, version: string): Handler | undefined;
  /**
   * Resolves when this server serves every kind that the store had at the call; absent if it always does. A
   * client may have seen a kind established by another server.
   */
  readonly catchUp?: () => Promise<void>;
}

const OBJECT_METHODS: Readonly<Record<string, Verb>> = {
  GET: 'get',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};
const COLLECTION_METHODS: Readonly<Record<string, Verb>> = {
  GET: 'list',
  POST: 'create',
  DELETE: 'deletecollection',
};

/** Creates the router: finds a handler first by fixed path, then by group, version and resource. */
export function createRouter(options: RouterOptions): Handler {
  const { environment, paths, virtual } = options;
  const { served: catalog } = environment.resources;

  return (context) => {
    if (!isCanonicalRoot(context)) return pageNotFound(context);
    return route(context, options.catchUp);
  };

  /** @param catchUp called before a path is reported as unknown */
  function route(context: RequestContext, catchUp?: () => Promise<void>): void | Promise<void> {
    const { group, version } = context.info;
    const proxy = version === '' ? undefined : options.extensionServer(group, version);
    return proxy === undefined ? serve(context, catchUp) : proxy(context);
  }

  function serve(context: RequestContext, catchUp?: () => Promise<void>): void | Promise<void> {
    const { info } = context;
    const handler = info.isResource ? undefined : paths.find(info.path);
    if (handler !== undefined) return handler(context);
    const row = info.isResource ? catalog.find(info.group, info.version, info.resource) : undefined;
    const own =
      row === undefined && info.isResource ? options.ownServer?.(info.group, info.version) : undefined;
    if (own !== undefined) return own(context);
    if (row === undefined)
      return catchUp === undefined || info.apiPrefix !== 'apis'
        ? notFound(context)
        : catchUp().then(() => route(context));
    if (row.customKind !== undefined) {
      if (!fitsCustomScope(row, context)) return pageNotFound(context);
      const preparing = environment.resources.prepare(row, context.turns);
      if (preparing !== undefined) return preparing.then(() => route(context, catchUp));
    }
    if (row.customKind === undefined && !fitsScope(row, context))
      throw row.namespaced && info.path.includes('/namespaces//')
        ? errors.badRequest('Namespace parameter required.')
        : errors.pathNotFound();
    if (info.legacyWatch) return legacyWatch(context, row);
    // The legacy `proxy/` paths are gone; their requests are authorized with that verb.
    if (info.verb === 'proxy') throw errors.pathNotFound();
    warnAboutDeprecation(context, row);
    return inHandlerSpan(context, () => handle(context, row));
  }

  function handle(context: RequestContext, row: ResourceRow): void | Promise<void> {
    if (context.info.subresource !== '') return subresource(options, context, row);
    if (row.storage === undefined) {
      const handler = virtual.get(`${row.group}/${row.resource}`);
      if (handler === undefined) throw errors.pathNotFound();
      return handler(context, row);
    }
    return row.customKind !== undefined
      ? serveCustomResource(environment, context, row)
      : object(environment, context, row);
  }

  function notFound(context: RequestContext): void {
    const { apiPrefix, group, resource } = context.info;
    const unreadable = environment.resources.unreadable.errorOf(group, resource);
    if (unreadable !== undefined) throw unreadable;
    // An unknown path below /api is a Status; below an unknown group it is a plain 404.
    if (
      apiPrefix === 'api' ||
      (apiPrefix === 'apis' && catalog.hasBuiltinGroup(group)) ||
      context.info.path.startsWith('/version/')
    )
      throw errors.pathNotFound();
    pageNotFound(context);
  }

  function legacyWatch(context: RequestContext, row: ResourceRow): Promise<void> {
    if (!row.verbs.includes('watch') || context.info.subresource !== '') throw errors.pathNotFound();
    if (context.exchange.method !== 'GET') throw errors.methodNotAllowed();
    return watchObjects(context, environment.resources.serve(row), environment);
  }
}

/**
 * Whether the prefix of an API path matches its route exactly. Attributes for authorization are parsed behind
 * any number of slashes; routes match the raw path, which is neither cleaned nor redirected.
 */
function isCanonicalRoot({ info: { path, apiPrefix, group } }: RequestContext): boolean {
  if (apiPrefix === '') return true;
  return path.startsWith(`/${apiPrefix}/`) && (apiPrefix === 'api' || group !== '');
}

/** Responds to an unknown path. */
export const pageNotFound = (context: RequestContext): void =>
  respondText(context, 404, '404 page not found');

/** Whether the path has a namespace exactly if the resource is namespaced. */
function fitsScope(row: ResourceRow, { info }: RequestContext): boolean {
  if (row.namespaced) return info.namespace !== '' || (info.pathName === '' && row.verbs.includes('list'));
  return info.namespace === '' || (row.resource === 'namespaces' && info.namespace === info.pathName);
}

/** Warns about a deprecated resource for every verb that it supports. */
function warnAboutDeprecation(
  { warnings, annotations, info, exchange }: RequestContext,
  row: ResourceRow,
): void {
  if (row.deprecationWarning === undefined || !hasRoute(info, exchange.method)) return;
  // Custom kinds warn for every path of a version; built-in ones for the subresources that they have.
  const { subresource } = info;
  if (
    subresource !== '' &&
    row.customKind === undefined &&
    !row.subresources.some(({ name }) => name === subresource)
  )
    return;
  // A watch of a resource without the verb `watch` still gets the warning of its list.
  if (!row.verbs.includes(info.verb as Verb) && !(info.verb === 'watch' && row.verbs.includes('list')))
    return;
  warnings.add(row.deprecationWarning);
  annotations.set(DEPRECATED_ANNOTATION, 'true');
  const release = removedRelease(row.deprecationWarning);
  if (release !== '') annotations.set(REMOVED_RELEASE_ANNOTATION, release);
}

/** Whether any object or collection has the method. */
const hasRoute = ({ pathName, subresource }: RequestContext['info'], method: string): boolean =>
  subresource !== '' || Object.hasOwn(pathName === '' ? COLLECTION_METHODS : OBJECT_METHODS, method);

function object(
  environment: HandlerEnvironment,
  context: RequestContext,
  row: ResourceRow,
): void | Promise<void> {
  const { method } = context.exchange;
  const { info } = context;
  // A field selector may have set the name of a list request: the path decides.
  const isItem = info.pathName !== '';
  const verb = (isItem ? OBJECT_METHODS : COLLECTION_METHODS)[method];
  if (verb === undefined) throw errors.methodNotAllowed();
  const across = row.namespaced && info.namespace === '' && verb !== 'list';
  if (!row.verbs.includes(verb) || across) throw errors.methodNotAllowed();
  const resource = environment.resources.serve(row);
  context.isHandled = true;
  switch (verb) {
    case 'get':
      return info.verb === 'watch'
        ? watchObjects(context, resource, environment)
        : getObject(context, resource, environment);
    case 'list':
      return info.verb === 'watch'
        ? watchObjects(context, resource, environment)
        : listObjects(context, resource, environment);
    case 'create':
      return createObject(context, resource, environment);
    case 'update':
      return updateObject(context, resource, environment);
    case 'patch':
      return patchObject(context, resource, environment);
    case 'delete':
      return deleteObject(context, resource, environment);
    case 'deletecollection':
      return deleteCollection(context, resource, environment);
    case 'watch':
      throw errors.methodNotAllowed();
  }
}

/** Handles a subresource: those with the form of the object use its verbs; others have their own handlers. */
function subresource(
  { environment, subresources }: RouterOptions,
  context: RequestContext,
  row: ResourceRow,
): void | Promise<void> {
  const { info } = context;
  const known: SubresourceRow | undefined =
    row.customKind !== undefined
      ? customSubresource(row, context)
      : row.subresources.find(({ name }) => name === info.subresource);
  const isProxy = known?.name === 'proxy';
  if (known === undefined || (info.rest.length > 0 && !isProxy)) throw errors.pathNotFound();
  context.isHandled = true;
  const handler =
    subresources.get(`${row.group}/${row.resource}/${known.name}`) ?? subresources.get(`*/${known.name}`);
  if (handler !== undefined) return handler(context, row);
  const verb = OBJECT_METHODS[context.exchange.method];
  if (verb === undefined || !known.verbs.includes(verb)) throw errors.methodNotAllowed();
  const resource = environment.resources.serve(row);
  if (verb === 'get') return getObject(context, resource, environment);
  return verb === 'update'
    ? updateObject(context, resource, environment)
    : patchObject(context, resource, environment);
}
