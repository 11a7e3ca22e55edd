import type { NamespaceContent } from '../controllers/namespace/content.ts';
import type { ObjectMeta } from '../model/object.ts';
import type { Resource } from '../reconcile/client.ts';
import type { ResourceRow, ResourceSet } from '../resources/resource-set.ts';
import type { Resources } from '../resources/resources.ts';
import { REGISTRY_ROOT } from '../resources/stored-resource.ts';
import type { UnreadableKinds } from '../resources/unreadable-kinds.ts';
import { prefixEnd, type Storage, type StoredEntry, toKey } from '../storage/storage.ts';
import { yieldToEventLoop } from '../time/event-loop.ts';
import { metadataReader } from './stored-metadata.ts';
import { preferredRow } from './tracked-kinds.ts';

const PAGE_SIZE = 500;

/** The version of a kind that fails in every version. */
const ANY_VERSION = 'v1';

/** The kind of a key. */
interface KeyPrefix {
  /** Key prefix of all objects of the kind. */
  readonly prefix: string;
  /** Undefined if it is not served, or not namespaced. */
  readonly resource: Resource | undefined;
}

/**
 * Reads the content of namespaces from the store, without filling caches: most namespaces contain few kinds.
 * The cost of finding them depends on the kinds that have objects, not on those that are defined.
 */
export class StoredContent implements NamespaceContent {
  readonly #resources: ResourceSet;
  readonly #unreadable: UnreadableKinds;
  readonly #storage: Storage;

  constructor({ served, unreadable }: Pick<Resources, 'served' | 'unreadable'>, storage: Storage) {
    this.#resources = served;
    this.#unreadable = unreadable;
    this.#storage = storage;
  }

  /**
   * Passes over all keys in pages, and skips the objects of each kind that are in other namespaces. A resource
   * that several groups or versions serve is found once. A kind whose definition cannot be read is found too:
   * every request for it fails, so that its objects keep the namespace.
   */
  async find(namespace: string): Promise<readonly Resource[]> {
    const found = new Map<string, Resource>();
    const end = prefixEnd(REGISTRY_ROOT);
    for (let start = REGISTRY_ROOT; ; ) {
      const { entries, more } = await this.#page({ start, end, keysOnly: true });
      let last: KeyPrefix | undefined;
      for (const { key } of entries) {
        if (last === undefined || !key.startsWith(last.prefix)) last = this.#prefixOf(key);
        if (last.resource !== undefined && key.startsWith(scope(last.prefix, namespace)))
          found.set(last.prefix, last.resource);
      }
      if (!more || last === undefined) return [...found.values()];
      start = nextStart(entries.at(-1)!.key, last, scope(last.prefix, namespace));
    }
  }

  async *metadata({ group, version, resource }: Resource, namespace: string): AsyncGenerator<ObjectMeta> {
    const { storage } = this.#resources.find(group, version, resource) ?? {};
    if (storage === undefined) return;
    const read = metadataReader(storage);
    const prefix = scope(`${REGISTRY_ROOT}${storage.prefix}/`, namespace);
    const end = prefixEnd(prefix);
    for (let start = prefix; ; ) {
      const { entries, more } = await this.#page({ start, end, keysOnly: false });
      for (const entry of entries) yield readable(entry, read);
      if (!more || entries.length === 0) return;
      start = `${entries.at(-1)!.key}\0`;
    }
  }

  async #page(range: { start: string; end: string; keysOnly: boolean }) {
    const page = await this.#storage.range({ ...range, limit: PAGE_SIZE, uncounted: true });
    // Yield to client requests between pages.
    if (page.more) await yieldToEventLoop();
    return page;
  }

  /** Prefixes have one segment or two. */
  #prefixOf(key: string): KeyPrefix {
    const first = key.indexOf('/', REGISTRY_ROOT.length);
    if (first < 0) return { prefix: key, resource: undefined };
    const name = key.slice(REGISTRY_ROOT.length, first);
    if (this.#resources.servesPrefix(name))
      return { prefix: key.slice(0, first + 1), resource: this.#contentUnder(name) };
    const second = key.indexOf('/', first + 1);
    if (second < 0) return { prefix: key, resource: undefined };
    return {
      prefix: key.slice(0, second + 1),
      resource: this.#contentUnder(key.slice(REGISTRY_ROOT.length, second)),
    };
  }

  #contentUnder(prefix: string): Resource | undefined {
    const row = preferredRow(this.#resources.storedUnder(prefix), isContent);
    const [group = '', resource] = prefix.split('/');
    if (row !== undefined || resource === undefined) return row;
    return this.#unreadable.errorOf(group, resource) && { group, version: ANY_VERSION, resource, kind: '' };
  }
}

/** Whether a namespace that is deleted must delete these objects. */
const isContent = ({ namespaced, verbs }: ResourceRow): boolean =>
  namespaced && verbs.includes('deletecollection') && verbs.includes('list');

const scope = (prefix: string, namespace: string): string => toKey(`${prefix}${namespace}/`);

/** Where the next page starts: in the namespace, or behind the last kind. @param last last key of a page */
function nextStart(last: string, { prefix, resource }: KeyPrefix, inNamespace: string): string {
  if (resource === undefined && prefix === last) return `${last}\0`;
  return resource !== undefined && last < inNamespace ? inNamespace : prefixEnd(prefix);
}

/** An object that cannot be read has no known finalizers. */
function readable({ value, corruption }: StoredEntry, read: (value: Uint8Array) => ObjectMeta): ObjectMeta {
  try {
    return corruption === undefined ? read(value) : {};
  } catch {
    return {};
  }
}
