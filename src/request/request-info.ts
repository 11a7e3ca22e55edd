/** The resource or path that a request addresses, parsed before any lookup. */
export interface RequestInfo {
  readonly isResource: boolean;
  /** Decoded path without the query. */
  readonly path: string;
  readonly verb: string;
  /** `api` or `apis`, empty for other paths. */
  readonly apiPrefix: string;
  readonly group: string;
  readonly version: string;
  readonly namespace: string;
  readonly resource: string;
  readonly subresource: string;
  /** Name in the path, or the name that a field selector narrows a list or watch to. */
  readonly name: string;
  /** Name in the path; empty for a collection. */
  readonly pathName: string;
  /** Segments after resource/name/subresource (proxy paths). */
  readonly rest: readonly string[];
  /** The path begins with the legacy `watch/`. */
  readonly legacyWatch: boolean;
}

const METHOD_VERBS: Readonly<Record<string, string>> = {
  POST: 'create',
  GET: 'get',
  HEAD: 'get',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};
const NAMESPACE_SUBRESOURCES = new Set(['status', 'finalize']);

/**
 * Parses the URL of a request by the layout of the API paths.
 * @param path decoded path @param query the query parameters that change the verb
 */
export function parseRequestInfo(
  method: string,
  path: string,
  query: { readonly watch: boolean; readonly fieldSelectorName: string | undefined },
): RequestInfo {
  const parts = splitPath(path);
  const apiPrefix = parts[0];
  if (parts.length < 3 || (apiPrefix !== 'api' && apiPrefix !== 'apis')) return nonResource(method, path);
  let index = 1;
  const group = apiPrefix === 'apis' ? parts[index++]! : '';
  if (apiPrefix === 'apis' && parts.length < 4)
    return { ...nonResource(method, path), apiPrefix, group, version: parts[index] ?? '' };
  const version = parts[index++]!;
  let verb = METHOD_VERBS[method] ?? '';
  let legacyWatch = false;
  if (parts[index] === 'watch' || parts[index] === 'proxy') {
    if (parts.length <= index + 1) return { ...nonResource(method, path), apiPrefix, group, version };
    legacyWatch = parts[index] === 'watch';
    verb = parts[index++]!;
  }
  let namespace = '';
  if (parts[index] === 'namespaces') {
    if (parts.length > index + 1) {
      namespace = parts[index + 1]!;
      // The third segment is a resource in the namespace, unless it is a subresource of the namespace.
      if (parts.length > index + 2 && !NAMESPACE_SUBRESOURCES.has(parts[index + 2]!)) index += 2;
    }
  }
  const resource = parts[index] ?? '';
  const pathName = parts[index + 1] ?? '';
  let name = pathName;
  const subresource = verb === 'proxy' ? '' : (parts[index + 2] ?? '');
  if (name === '' && verb === 'get') verb = 'list';
  if (verb === 'list' || verb === 'watch') {
    if (query.fieldSelectorName !== undefined && name === '') name = query.fieldSelectorName;
    if (verb === 'list' && query.watch) verb = 'watch';
  } else if (verb === 'get' && query.watch && subresource === '') verb = 'watch';
  if (name === '' && verb === 'delete') verb = 'deletecollection';
  return {
    isResource: true,
    path,
    verb,
    apiPrefix: apiPrefix!,
    group,
    version,
    namespace,
    resource,
    subresource,
    name,
    pathName,
    rest: parts.length > index + 3 ? parts.slice(index + 3) : NO_REST,
    legacyWatch,
  };
}

function nonResource(method: string, path: string): RequestInfo {
  return {
    isResource: false,
    path,
    verb: method.toLowerCase(),
    apiPrefix: '',
    group: '',
    version: '',
    namespace: '',
    resource: '',
    subresource: '',
    name: '',
    pathName: '',
    rest: NO_REST,
    legacyWatch: false,
  };
}
const NO_REST: readonly string[] = [];

const SLASH = 0x2f;

/** Splits a path into segments; leading and trailing slashes are ignored. */
function splitPath(path: string): string[] {
  let start = 0;
  let end = path.length;
  while (start < end && path.charCodeAt(start) === SLASH) start += 1;
  while (end > start && path.charCodeAt(end - 1) === SLASH) end -= 1;
  return start === end ? [] : path.slice(start, end).split('/');
}
