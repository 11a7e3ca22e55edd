import { apiRootOf, apiVersionOf, type KubernetesObject } from '../model/object.ts';
import { ApiError, type Status } from '../status/index.ts';
import { timeoutSignal } from '../time/pause.ts';
import { errorOf, linesOf, responseError, textOf } from './client-response.ts';

/** A request of a controller. It passes the whole filter chain with the user of the sender. */
export interface ControllerRequest {
  readonly method: string;
  /** Path and query, percent-encoded. */
  readonly target: string;
  readonly headers: Pairs;
  readonly body?: string;
  /** The body of an answer without error is not read. */
  readonly ignoresAnswer?: boolean;
  /** Aborts the request. */
  readonly signal?: AbortSignal;
}

export interface ControllerResponse {
  readonly status: number;
  readonly body: AsyncIterable<Uint8Array>;
}

/** Sends requests as one user. Rejects when a request gets no response. */
export type Send = (request: ControllerRequest) => Promise<ControllerResponse>;

/** A resource in one version. */
export interface Resource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly kind: string;
}

export interface ListSelection {
  readonly namespace?: string;
  readonly fieldSelector?: string;
  readonly labelSelector?: string;
  /** Objects without spec and status. */
  readonly metadataOnly?: boolean;
}

export interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK';
  readonly object: KubernetesObject;
}

export interface ObjectList {
  readonly items: KubernetesObject[];
  readonly resourceVersion: string;
}

/** The subresource of a write. */
interface WriteTarget {
  readonly subresource?: string | undefined;
}

interface GetOptions extends WriteTarget {
  readonly metadataOnly?: boolean | undefined;
  readonly mustBeServed?: boolean;
}

interface PatchTarget extends WriteTarget {
  /** Lists of built-in kinds are merged by their keys. */
  readonly isStrategic?: boolean;
}

type Pairs = Readonly<Record<string, string>>;

/** Page size of lists. */
const PAGE_LIMIT = '500';

/** Extension servers that do not have the form return whole objects. */
const METADATA = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json';
const METADATA_LIST = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json';
/** The message of servers for a path that they do not know: nothing is said about the object. */
const UNKNOWN_PATH = 'the server could not find the requested resource';

/** The bounds of a response. */
export interface ResponseBounds {
  /** Until the response is complete. */
  readonly milliseconds: number;
  readonly bytes: number;
}

/** A client that ignores the response bodies of its writes. Error responses are thrown as {@link ApiError}. */
export interface Writer extends Pick<Client, 'get' | 'delete'> {
  create(...parameters: Parameters<Client['create']>): Promise<unknown>;
  update(...parameters: Parameters<Client['update']>): Promise<unknown>;
  patch(...parameters: Parameters<Client['patch']>): Promise<unknown>;
}

/**
 * The API client of controllers. Error responses are thrown as {@link ApiError}.
 */
export class Client {
  readonly #send: Send;
  readonly #userAgent: string;
  readonly #bounds: ResponseBounds | undefined;
  readonly #readsWritten: boolean;
  #writer: Writer | undefined;

  /** @param userAgent the part before the slash becomes the field manager */
  constructor(send: Send, userAgent: string, bounds?: ResponseBounds, readsWritten = true) {
    this.#send = send;
    this.#userAgent = userAgent;
    this.#bounds = bounds;
    this.#readsWritten = readsWritten;
  }

  /** The same client for responses that other servers may make long. */
  bounded(bounds: ResponseBounds): Client {
    return new Client(this.#send, this.#userAgent, bounds, this.#readsWritten);
  }

  /** The same client for writes of which only errors count: this server does not encode the other responses. */
  writer(): Writer {
    this.#writer ??= new Client(this.#send, this.#userAgent, this.#bounds, false);
    return this.#writer;
  }

  /**
   * Returns undefined for an absent object.
   * @param options.mustBeServed a 404 for the path, not for the object, is thrown
   */
  async get(
    resource: Resource,
    namespace: string,
    name: string,
    { metadataOnly, mustBeServed, subresource }: GetOptions = {},
  ): Promise<KubernetesObject | undefined> {
    try {
      return await this.getExisting(resource, namespace, name, { metadataOnly, subresource });
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 404)) throw error;
      if (mustBeServed === true && (error.reason !== 'NotFound' || error.message === UNKNOWN_PATH))
        throw error;
      return undefined;
    }
  }

  /** {@link get} of an object whose absence is an error. @throws ApiError 404 */
  async getExisting(
    resource: Resource,
    namespace: string,
    name: string,
    { metadataOnly, subresource }: Pick<GetOptions, 'metadataOnly' | 'subresource'> = {},
  ): Promise<KubernetesObject> {
    const headers: Pairs = metadataOnly === true ? { accept: METADATA } : {};
    const path = pathOf(resource, namespace, name, subresource);
    return (await this.#call('GET', path, { headers })) as KubernetesObject;
  }

  /** The answer of a path that is no object's, such as that of a measurement. @throws ApiError */
  read(path: string, query: Pairs): Promise<unknown> {
    return this.#call('GET', path, { query });
  }

  async list(resource: Resource, selection: ListSelection = {}): Promise<ObjectList> {
    return this.#listPage(resource, selection, {});
  }

  /**
   * Lists objects in pages of one snapshot, which bounds the size of responses. An expired continue token
   * throws 410 Gone.
   */
  async *pages(resource: Resource, selection: ListSelection = {}): AsyncGenerator<ObjectList, void> {
    let next = '';
    do {
      const page = await this.#listPage(resource, selection, {
        limit: PAGE_LIMIT,
        ...(next === '' ? {} : { continue: next }),
      });
      yield page;
      next = page.next;
    } while (next !== '');
  }

  async #listPage(
    resource: Resource,
    { namespace = '', fieldSelector, labelSelector, metadataOnly }: ListSelection,
    page: Pairs,
  ): Promise<ObjectList & { readonly next: string }> {
    const query: Pairs = {
      ...(fieldSelector === undefined ? {} : { fieldSelector }),
      ...(labelSelector === undefined ? {} : { labelSelector }),
      ...page,
    };
    const headers: Pairs = metadataOnly === true ? { accept: METADATA_LIST } : {};
    const list = (await this.#call('GET', pathOf(resource, namespace, ''), { query, headers })) as {
      items?: KubernetesObject[];
      metadata?: { resourceVersion?: string; continue?: string };
    };
    const { resourceVersion = '', continue: next = '' } = list.metadata ?? {};
    return { items: list.items ?? [], resourceVersion, next };
  }

  /** Watches from a resource version until the server closes the watch or `signal` aborts it. */
  async *watch(
    resource: Resource,
    resourceVersion: string,
    { fieldSelector, metadataOnly }: ListSelection,
    signal: AbortSignal,
  ): AsyncGenerator<WatchEvent, void> {
    const query = {
      watch: 'true',
      allowWatchBookmarks: 'true',
      resourceVersion,
      ...(fieldSelector === undefined ? {} : { fieldSelector }),
    };
    const { status, body } = await this.#request('GET', pathOf(resource, '', ''), {
      query,
      signal,
      headers: metadataOnly === true ? { accept: METADATA } : {},
    });
    const limit = this.#bounds?.bytes;
    if (status !== 200) throw responseError(status, await textOf(body, limit));
    for await (const line of linesOf(body, limit)) {
      const event = JSON.parse(line) as WatchEvent | { type: 'ERROR'; object: Status };
      if (event.type === 'ERROR') throw errorOf(event.object, 500);
      yield event;
    }
  }

  async create(resource: Resource, object: KubernetesObject): Promise<KubernetesObject> {
    return (await this.#call('POST', pathOf(resource, object.metadata?.namespace ?? '', ''), {
      body: typed(resource, object),
    })) as KubernetesObject;
  }

  /** Posts an object of another kind, with its `apiVersion` and `kind`, to a subresource of the object of its name. */
  async createSubresource(resource: Resource, subresource: string, object: KubernetesObject): Promise<void> {
    await this.#call('POST', objectPath(resource, object, subresource), { body: object });
  }

  /** Throws a conflict when the resource version is outdated. A scale is of a kind of its own, which it names. */
  async update(
    resource: Resource,
    object: KubernetesObject,
    { subresource }: WriteTarget = {},
  ): Promise<KubernetesObject> {
    return (await this.#call('PUT', objectPath(resource, object, subresource), {
      body: subresource === 'scale' ? object : typed(resource, object),
    })) as KubernetesObject;
  }

  /**
   * Server-side apply of `object`; forces conflicts.
   * @param fieldManager owner of the fields
   */
  async apply(
    resource: Resource,
    object: KubernetesObject,
    fieldManager: string,
    { subresource }: WriteTarget = {},
  ): Promise<KubernetesObject> {
    const headers = { 'content-type': 'application/apply-patch+yaml' };
    const query = { fieldManager, force: 'true' };
    return (await this.#call('PATCH', objectPath(resource, object, subresource), {
      body: typed(resource, object),
      headers,
      query,
    })) as KubernetesObject;
  }

  /**
   * JSON merge patch, or strategic merge patch; throws a conflict when its uid or resource version does not match.
   * Returns the object's metadata.
   */
  async patch(
    resource: Resource,
    namespace: string,
    name: string,
    change: object,
    { subresource, isStrategic = false }: PatchTarget = {},
  ): Promise<KubernetesObject> {
    const type = isStrategic ? 'strategic-merge-patch' : 'merge-patch';
    const headers = { accept: METADATA, 'content-type': `application/${type}+json` };
    return (await this.#call('PATCH', pathOf(resource, namespace, name, subresource), {
      body: change,
      headers,
    })) as KubernetesObject;
  }

  /** @param options members of DeleteOptions */
  async delete(
    resource: Resource,
    namespace: string,
    name: string,
    options: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    await this.#call('DELETE', pathOf(resource, namespace, name), {
      body: { kind: 'DeleteOptions', apiVersion: 'v1', ...options },
    });
  }

  /** @param options members of DeleteOptions */
  async deleteCollection(
    resource: Resource,
    namespace: string,
    options: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    await this.#call('DELETE', pathOf(resource, namespace, ''), {
      body: { kind: 'DeleteOptions', apiVersion: 'v1', ...options },
      headers: { accept: METADATA_LIST },
    });
  }

  async #call(method: string, path: string, parts: RequestParts = {}): Promise<unknown> {
    const signal = this.#bounds && timeoutSignal(this.#bounds.milliseconds);
    const ignoresAnswer = !this.#readsWritten && method !== 'GET';
    const { status, body } = await this.#request(method, path, {
      ...parts,
      ...(signal && { signal }),
      ...(ignoresAnswer && { ignoresAnswer }),
    });
    const text = await textOf(body, this.#bounds?.bytes);
    if (status >= 300) throw responseError(status, text);
    return ignoresAnswer ? undefined : JSON.parse(text);
  }

  #request(
    method: string,
    path: string,
    { query = {}, headers = {}, body, signal, ignoresAnswer }: RequestParts,
  ): Promise<ControllerResponse> {
    const parameters = new URLSearchParams(query).toString();
    return this.#send({
      method,
      target: parameters === '' ? path : `${path}?${parameters}`,
      headers: {
        accept: 'application/json',
        'user-agent': this.#userAgent,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
      ...(ignoresAnswer && { ignoresAnswer }),
    });
  }
}

interface RequestParts {
  readonly query?: Pairs;
  readonly headers?: Pairs;
  readonly body?: object;
  readonly signal?: AbortSignal;
  readonly ignoresAnswer?: boolean;
}

function pathOf(
  { group, version, resource }: Resource,
  namespace: string,
  name: string,
  subresource = '',
): string {
  const scope = namespace === '' ? '' : `/namespaces/${encodeURIComponent(namespace)}`;
  return `${apiRootOf(group, version)}${scope}/${resource}${name === '' ? '' : `/${encodeURIComponent(name)}`}${subresource === '' ? '' : `/${subresource}`}`;
}

const objectPath = (resource: Resource, { metadata }: KubernetesObject, subresource?: string): string =>
  pathOf(resource, metadata?.namespace ?? '', metadata?.name ?? '', subresource);

/** Adds apiVersion and kind: list items have none. */
const typed = ({ group, version, kind }: Resource, object: KubernetesObject): KubernetesObject => ({
  ...object,
  apiVersion: apiVersionOf(group, version),
  kind,
});
