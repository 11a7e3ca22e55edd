import { isJsonObject } from '../../model/json-object.ts';

/** A resource in the form of aggregated discovery. */
export interface RemoteResource {
  readonly resource: string;
  readonly responseKind?: ResponseKind;
  readonly scope: string;
  readonly singularResource: string;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly subresources?: readonly RemoteSubresource[];
}

interface ResponseKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

interface RemoteSubresource {
  readonly subresource: string;
  readonly responseKind?: ResponseKind;
  readonly verbs: readonly string[];
}

type Untrusted = Readonly<Record<string, unknown>>;

const objects = (value: unknown): readonly Untrusted[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : [];
const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const texts = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];
const someTexts = (name: string, value: unknown) => {
  const list = texts(value);
  return list.length === 0 ? {} : { [name]: list };
};

/**
 * Reads an APIGroupDiscoveryList: resources by `group/version`. Members that are not part of it are dropped.
 * Undefined if the document is another one.
 */
export function readAggregated(document: unknown): Map<string, readonly RemoteResource[]> | undefined {
  if (!isJsonObject(document) || document['kind'] !== 'APIGroupDiscoveryList') return undefined;
  const found = new Map<string, readonly RemoteResource[]>();
  for (const item of objects(document['items'])) {
    const group = isJsonObject(item['metadata']) ? text(item['metadata']['name']) : '';
    for (const one of objects(item['versions']))
      found.set(`${group}/${text(one['version'])}`, objects(one['resources']).map(aggregatedResource));
  }
  return found;
}

function aggregatedResource(resource: Untrusted): RemoteResource {
  const subresources = objects(resource['subresources']).map((one) => ({
    subresource: text(one['subresource']),
    ...responseKind(one['responseKind']),
    verbs: texts(one['verbs']),
  }));
  return {
    resource: text(resource['resource']),
    ...responseKind(resource['responseKind']),
    scope: resource['scope'] === 'Cluster' ? 'Cluster' : 'Namespaced',
    singularResource: text(resource['singularResource']),
    verbs: texts(resource['verbs']),
    ...someTexts('shortNames', resource['shortNames']),
    ...someTexts('categories', resource['categories']),
    ...(subresources.length === 0 ? {} : { subresources }),
  };
}

const responseKind = (value: unknown): { readonly responseKind?: ResponseKind } =>
  isJsonObject(value)
    ? {
        responseKind: {
          group: text(value['group']),
          version: text(value['version']),
          kind: text(value['kind']),
        },
      }
    : {};

/** Reads an APIResourceList, the older form, in which subresources stand beside their resources. */
export function readResourceList(document: unknown): readonly RemoteResource[] | undefined {
  if (!isJsonObject(document) || document['kind'] !== 'APIResourceList') return undefined;
  const entries = objects(document['resources']);
  const subresources = new Map<string, RemoteSubresource[]>();
  for (const entry of entries) {
    const [resource = '', ...rest] = text(entry['name']).split('/');
    if (rest.length === 0) continue;
    const one = { subresource: rest.join('/'), responseKind: kindOf(entry), verbs: texts(entry['verbs']) };
    const known = subresources.get(resource);
    if (known === undefined) subresources.set(resource, [one]);
    else known.push(one);
  }
  return entries
    .filter((entry) => !text(entry['name']).includes('/'))
    .map((entry) => {
      const below = subresources.get(text(entry['name']));
      return {
        resource: text(entry['name']),
        responseKind: kindOf(entry),
        scope: entry['namespaced'] === true ? 'Namespaced' : 'Cluster',
        singularResource: text(entry['singularName']),
        verbs: texts(entry['verbs']),
        ...someTexts('shortNames', entry['shortNames']),
        ...someTexts('categories', entry['categories']),
        ...(below === undefined ? {} : { subresources: below }),
      };
    });
}

const kindOf = (entry: Untrusted): ResponseKind => ({
  group: text(entry['group']),
  version: text(entry['version']),
  kind: text(entry['kind']),
});
