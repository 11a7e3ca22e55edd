import { forbiddenError } from '../authorization/forbidden.ts';
import { type Authorizer, resourceAccess } from '../request/attributes.ts';
import type { UserInfo } from '../request/user.ts';
import type { ResourceRow } from '../resources/resource-set.ts';
import type { ServedResource } from '../resources/served-resource.ts';
import { errors } from '../status/index.ts';
import { CachedSource, type SelectedReader, type WatchObserver } from './cached-source.ts';
import type { IndexedSource, Selection } from './object-source.ts';
import type { ReadObject } from './read-object.ts';
import type { Readers } from './readers.ts';

/** A resource in the version into which its objects are decoded. */
export interface SourceResource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}

/** The verbs that a source needs, as a client that lists and watches. */
const VERBS = ['list', 'watch'] as const;

/** Gives users the objects of this server that they may list and watch. */
export class Sources {
  readonly #readers: Readers;
  readonly #authorizer: Pick<Authorizer, 'authorize'>;
  readonly #observe: ((row: ResourceRow) => WatchObserver) | undefined;

  /** @param observe begins to observe a source of a resource */
  constructor(
    readers: Readers,
    authorizer: Pick<Authorizer, 'authorize'>,
    observe?: (row: ResourceRow) => WatchObserver,
  ) {
    this.#readers = readers;
    this.#authorizer = authorizer;
    this.#observe = observe;
  }

  /**
   * Objects of a resource. Whether the user may list and watch all of them is decided when the source starts.
   * @param onError receives why it cannot start, or why a listener failed; both are tried again with back-off
   */
  objects(
    user: UserInfo,
    resource: SourceResource,
    selection: Selection,
    onError: (error: unknown) => void,
  ): IndexedSource {
    return new CachedSource({
      open: () => this.#open(user, resource, selection),
      clock: this.#readers.clock,
      onError,
    });
  }

  async #open(user: UserInfo, resource: SourceResource, selection: Selection): Promise<SelectedReader> {
    for (const verb of VERBS) await this.#authorize(user, verb, resource);
    const { served: catalog } = this.#readers.resources;
    const row = catalog.find(resource.group, resource.version, resource.resource);
    if (row?.storage === undefined) throw errors.pathNotFound();
    const served = this.#readers.resources.serve(row);
    return {
      reader: this.#readers.of(served),
      selects: selectorOf(served, selection),
      observer: this.#observe?.(row),
    };
  }

  /** @throws ApiError 403, or the error of an authorizer */
  async #authorize(user: UserInfo, verb: string, resource: SourceResource): Promise<void> {
    const attributes = resourceAccess({ user, verb, ...resource });
    const { decision, reason, error } = await this.#authorizer.authorize(attributes);
    if (decision !== 'allow') throw error ?? forbiddenError(attributes, reason);
  }
}

/** What selects objects; undefined if all are. Names are compared first: that decodes nothing. */
function selectorOf(
  served: ServedResource,
  { name, field, selects }: Selection,
): ((object: ReadObject) => boolean) | undefined {
  if (name === undefined && field === undefined && selects === undefined) return undefined;
  return (object) =>
    (name === undefined || object.record.name === name) &&
    (field === undefined || served.fieldValue(object.record, field[0]) === field[1]) &&
    selects?.(object) !== false;
}
