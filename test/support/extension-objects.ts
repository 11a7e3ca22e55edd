import type { ServerResponse } from 'node:http';
import { ExtensionServer, json } from './extension-server.ts';

interface Stored {
  readonly kind: 'Thing';
  readonly apiVersion: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly uid: string;
    readonly resourceVersion: string;
    readonly ownerReferences?: readonly object[];
  };
}

const notFound = (name: string) => ({
  kind: 'Status',
  apiVersion: 'v1',
  status: 'Failure',
  code: 404,
  reason: 'NotFound',
  message: `things "${name}" not found`,
  details: { name, kind: 'things' },
});

/**
 * An extension server with the namespaced resource `things`, whose objects are in memory and can be read,
 * listed, watched, created and deleted.
 */
export class ExtensionObjects {
  readonly server: ExtensionServer;
  readonly root: string;
  readonly #group: string;
  readonly #objects = new Map<string, Stored>();
  readonly #watches = new Set<ServerResponse>();
  #version = 0;
  /** Answers everything but discovery with 503. */
  isDown = false;

  constructor(group: string) {
    this.#group = group;
    this.root = `/apis/${group}/v1`;
    this.server = new ExtensionServer({
      hosts: ['things.default.svc'],
      answer: ({ method, path, query, body }, response) => {
        if (path === this.root) return json(response, this.#resources());
        if (this.isDown || !path.startsWith(this.root)) return json(response, {}, this.isDown ? 503 : 404);
        const [, namespace, name] = /^(?:\/namespaces\/([^/]+))?\/things(?:\/([^/]+))?$/.exec(
          path.slice(this.root.length),
        )!;
        if (name !== undefined) this.#one(response, method, `${namespace}/${name}`, name);
        else if (method === 'POST') {
          const { metadata } = JSON.parse(body) as Stored;
          json(response, this.put(namespace!, metadata.name, metadata.ownerReferences), 201);
        } else if (query.includes('watch=')) this.#watch(response);
        else this.#list(response);
      },
    });
  }

  /** Creates or replaces an object. */
  put(namespace: string, name: string, ownerReferences: readonly object[] = []): Stored {
    const key = `${namespace}/${name}`;
    const known = this.#objects.get(key);
    this.#version += 1;
    const object: Stored = {
      kind: 'Thing',
      apiVersion: `${this.#group}/v1`,
      metadata: {
        name,
        namespace,
        uid: known?.metadata.uid ?? `uid-${this.#version}`,
        resourceVersion: `v${this.#version}`,
        ...(ownerReferences.length > 0 && { ownerReferences }),
      },
    };
    this.#objects.set(key, object);
    this.#notify(known === undefined ? 'ADDED' : 'MODIFIED', object);
    return object;
  }

  remove(key: string): void {
    const object = this.#objects.get(key);
    this.#objects.delete(key);
    if (object !== undefined) this.#notify('DELETED', object);
  }

  has(key: string): boolean {
    return this.#objects.has(key);
  }

  /** Ends all watches, and answers nothing until {@link isDown} is false. */
  shutDown(): void {
    this.isDown = true;
    for (const response of this.#watches) response.end();
    this.#watches.clear();
  }

  #resources() {
    const verbs = ['create', 'delete', 'get', 'list', 'watch', 'patch'];
    return {
      kind: 'APIResourceList',
      apiVersion: 'v1',
      groupVersion: `${this.#group}/v1`,
      resources: [{ name: 'things', singularName: 'thing', namespaced: true, kind: 'Thing', verbs }],
    };
  }

  #one(response: ServerResponse, method: string, key: string, name: string): void {
    const object = this.#objects.get(key);
    if (method === 'DELETE') this.remove(key);
    if (object === undefined) json(response, notFound(name), 404);
    else json(response, object);
  }

  #list(response: ServerResponse): void {
    json(response, {
      kind: 'ThingList',
      apiVersion: `${this.#group}/v1`,
      metadata: { resourceVersion: `v${this.#version}` },
      items: [...this.#objects.values()],
    });
  }

  #watch(response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders();
    this.#watches.add(response);
    response.on('close', () => this.#watches.delete(response));
  }

  #notify(type: string, object: Stored): void {
    for (const response of this.#watches) response.write(`${JSON.stringify({ type, object })}\n`);
  }
}
