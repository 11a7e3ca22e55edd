import type { ParameterKind, ParameterKinds } from '../admission/policy/objects.ts';
import type { CacheRecord } from '../cache/record.ts';
import { BoundedMap } from '../collections/bounded-map.ts';
import type { LabelSelector } from '../model/generated/meta-v1.ts';
import { parseApiVersion } from '../model/object.ts';
import { labelSelectorMatches } from '../model/object-label-selector.ts';
import type { ResourceRow } from '../resources/resource-set.ts';
import type { Resources } from '../resources/resources.ts';
import type { ServedResource } from '../resources/served-resource.ts';
import type { MaybePromise } from '../steps/steps.ts';
import { prefixEnd } from '../storage/storage.ts';

/** Maximum remembered kinds. */
const KINDS = 1000;
/** Maximum remembered selections of one kind. */
const SELECTIONS = 100;

/** Finds served kinds for the parameters of policies; each kind is looked up again when the set changes. */
export function parameterKinds(resources: Resources): ParameterKinds {
  const { served } = resources;
  const known = new BoundedMap<string, { readonly kind: ParameterKind | undefined }>(KINDS);
  const readers = new WeakMap<ResourceRow, ParameterReader>();
  let generation = served.generation;
  const resolve = (apiVersion: string, kind: string): ParameterKind | undefined => {
    const parsed = parseApiVersion(apiVersion);
    const row = parsed && served.findKind(parsed.group, parsed.version, kind);
    if (row?.storage === undefined) return undefined;
    let reader = readers.get(row);
    if (reader === undefined) {
      reader = new ParameterReader(resources.serve(row));
      readers.set(row, reader);
    }
    return reader;
  };
  return {
    find(apiVersion, kind) {
      if (generation !== served.generation) {
        generation = served.generation;
        known.clear();
      }
      const key = `${apiVersion} ${kind}`;
      let found = known.get(key);
      if (found === undefined) {
        found = { kind: resolve(apiVersion, kind) };
        known.set(key, found);
      }
      return found.kind;
    },
  };
}

/** Reads the objects of one kind from the cache that all readers of the kind share. */
class ParameterReader implements ParameterKind {
  readonly #resource: ServedResource;
  readonly #form: string;
  /** Selected objects by namespace and selector, until the cache changes. */
  readonly #selected = new BoundedMap<string, MaybePromise<readonly object[]>>(SELECTIONS);
  #generation = -1;

  constructor(resource: ServedResource) {
    this.#resource = resource;
    this.#form = `parameter ${resource.form}`;
  }

  get namespaced(): boolean {
    return this.#resource.namespaced;
  }

  get(namespace: string, name: string): MaybePromise<object | undefined> {
    const { stored } = this.#resource;
    const read = (): MaybePromise<object | undefined> => {
      const record = stored.cache.get(stored.key(namespace, name));
      return record && this.#read(record);
    };
    const ready = stored.cache.waitFresh(0);
    return ready instanceof Promise ? ready.then(read) : read();
  }

  list(namespace: string, selector: LabelSelector): MaybePromise<readonly object[]> {
    const { cache } = this.#resource.stored;
    const ready = cache.waitFresh(0);
    return ready instanceof Promise
      ? ready.then(() => this.#select(namespace, selector))
      : this.#select(namespace, selector);
  }

  #select(namespace: string, selector: LabelSelector): MaybePromise<readonly object[]> {
    const { cache } = this.#resource.stored;
    if (this.#generation !== cache.generation) {
      this.#generation = cache.generation;
      this.#selected.clear();
    }
    const key = JSON.stringify([namespace, selector.matchLabels, selector.matchExpressions]);
    let found = this.#selected.get(key);
    if (found === undefined) {
      found = this.#scan(namespace, selector);
      this.#selected.set(key, found);
      // A failed conversion is tried again.
      if (found instanceof Promise) found.catch(() => this.#selected.delete(key));
    }
    return found;
  }

  #scan(namespace: string, selector: LabelSelector): MaybePromise<readonly object[]> {
    const { stored } = this.#resource;
    const start = stored.scope(namespace);
    const objects: MaybePromise<object>[] = [];
    stored.cache.current().scan(start, prefixEnd(start), (record) => {
      if (selects(selector, record)) objects.push(this.#read(record));
      return undefined;
    });
    return objects.some((object) => object instanceof Promise) ? Promise.all(objects) : (objects as object[]);
  }

  #read(record: CacheRecord): MaybePromise<object> {
    const prepared = this.#resource.conversion.prepare(record);
    return prepared instanceof Promise ? prepared.then(() => this.#plain(record)) : this.#plain(record);
  }

  #plain(record: CacheRecord): object {
    const resource = this.#resource;
    return resource.cachedEncoding(record, this.#form, () => ({
      value: resource.plainObject(record),
      bytes: record.value.length * 4,
    }));
  }
}

/** Whether a selector matches a record; an object that cannot be decoded has no labels. */
function selects(selector: LabelSelector, record: CacheRecord): boolean {
  return record.corruption === undefined && labelSelectorMatches(selector, record.header.labels);
}
