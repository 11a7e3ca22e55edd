import type { KubernetesObject } from '../../model/object.ts';
import { type CountedKind, countedKind, kindKey } from '../../quota/counted.ts';
import type { ObjectSource, SourceObject } from '../../reader/object-source.ts';
import type { Resource } from '../../reconcile/client.ts';
import type { ControllerContext, Source } from '../../reconcile/controller.ts';
import type { RemoteKinds } from '../remote-kinds.ts';
import { RemoteObjects } from './remote-objects.ts';

/** The kinds that quotas can count, as they are served and stored. */
export interface CountableKinds {
  /** Finds the served version of a namespaced kind; undefined when it is not served. */
  find(kind: CountedKind): Resource | undefined;
  /** Number of stored objects of a served kind in a namespace. Their values are not read. */
  count(resource: Resource, namespace: string): Promise<number>;
  /**
   * Reports removed objects of a served kind. @param listener receives the namespace; undefined when removals
   * may have been missed in any. @returns ends that
   */
  onRemoval(resource: Resource, listener: (namespace: string | undefined) => void): () => void;
  /** Reports kinds whose resources are added or removed. @returns ends that */
  onChange(listener: (kinds: readonly CountedKind[]) => void): () => void;
}

/** Called when the usage of a kind may have decreased. @param namespace undefined for all namespaces */
export type LessListener = (kind: CountedKind, namespace: string | undefined) => void;

/** The objects of a kind in a namespace, or their number. */
export type CountedObjectsOfKind = Iterable<readonly [key: string, object: SourceObject]> | number;

/** Core kinds whose usage depends on more than their number. */
const CONTENT_KINDS = new Set(['pods', 'services', 'persistentvolumeclaims']);

/**
 * The objects that quotas count. A kind is watched once the first quota counts it. Only the number of most
 * kinds matters: it is read from the store.
 */
export class CountedObjects implements Source {
  readonly #sources = new Map<string, ObjectSource>();
  /** Ends the watches for removed objects. */
  readonly #watches = new Map<string, () => void>();
  readonly #parts: ControllerContext;
  readonly #kinds: CountableKinds;
  readonly #onLess: LessListener;
  readonly #remote: RemoteObjects;
  #stopped = false;
  readonly synced = Promise.resolve();
  #end!: () => void;
  /** Resolves when the source is stopped. */
  readonly ended = new Promise<void>((resolve) => {
    this.#end = resolve;
  });

  constructor(
    parts: ControllerContext,
    kinds: CountableKinds,
    remoteKinds: RemoteKinds,
    onLess: LessListener,
  ) {
    this.#remote = new RemoteObjects(parts, remoteKinds, onLess);
    this.#parts = parts;
    this.#kinds = kinds;
    this.#onLess = onLess;
  }

  start(): void {
    // Sources and watches start on demand.
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#end();
    for (const key of [...this.#watches.keys()]) this.#unwatch(key);
    await Promise.all([this.#remote.stop(), ...[...this.#sources.values()].map((one) => one.stop())]);
  }

  /** Reports changes of the kinds of extension servers. @returns ends that */
  onRemoteKinds(listener: () => void): () => void {
    return this.#remote.onKinds(listener);
  }

  /** Whether an extension server has the kind in another version than the one that is followed, or no more. */
  isOutdated(kind: CountedKind): boolean {
    return this.#kinds.find(kind) === undefined && this.#remote.isOutdated(kind);
  }

  get stopped(): boolean {
    return this.#stopped;
  }

  /** Ends the watch of a kind that no quota counts, or that is not served. */
  release(kind: CountedKind): void {
    this.#unwatch(kindKey(kind));
    this.#remote.release(kind);
  }

  /** Watches a kind; resolves after the initial list. */
  async follow(kind: CountedKind): Promise<void> {
    if (this.#stopped) return;
    const resource = this.#kinds.find(kind);
    if (resource === undefined) return this.#remote.follow(kind);
    const key = kindKey(kind);
    if (hasContent(kind)) await this.#source(key, kind, resource).synced;
    else if (!this.#watches.has(key))
      this.#watches.set(
        key,
        this.#kinds.onRemoval(resource, (namespace) => this.#onLess(kind, namespace)),
      );
  }

  /**
   * The objects of a followed kind in a namespace, or their number if only that matters. A kind that is not
   * served has none; undefined if an extension server has it and does not tell.
   */
  async of(kind: CountedKind, namespace: string): Promise<CountedObjectsOfKind | undefined> {
    const resource = this.#kinds.find(kind);
    if (resource === undefined) return this.#remote.has(kind) ? this.#remote.count(kind, namespace) : 0;
    if (!hasContent(kind)) return this.#kinds.count(resource, namespace);
    return this.#source(kindKey(kind), kind, resource).entries(namespace);
  }

  #unwatch(key: string): void {
    this.#watches.get(key)?.();
    this.#watches.delete(key);
  }

  #source(key: string, kind: CountedKind, resource: Resource): ObjectSource {
    const known = this.#sources.get(key);
    if (known !== undefined) return known;
    const source = this.#parts.objects(resource);
    source.onChange((changed, object, previous) => {
      // Creations are charged at admission; updates and deletions may release usage.
      if (previous !== undefined && (object === undefined || mayUseLess(object.object, previous.object)))
        this.#onLess(kind, changed.slice(0, changed.indexOf('/')));
    });
    this.#sources.set(key, source);
    source.start();
    return source;
  }
}

const hasContent = ({ group, resource }: CountedKind): boolean => group === '' && CONTENT_KINDS.has(resource);

/** Terminated pods use nothing; a changed spec may request less. */
function mayUseLess(object: KubernetesObject, previous: KubernetesObject): boolean {
  const phase = ({ status }: KubernetesObject) => (status as { phase?: string } | undefined)?.phase;
  return (
    phase(object) !== phase(previous) ||
    object.metadata?.generation !== previous.metadata?.generation ||
    object.metadata?.generation === undefined
  );
}

/** The kinds that a quota with these resource names counts, without duplicates. */
export function kindsOf(names: Iterable<string>): CountedKind[] {
  const kinds = new Map<string, CountedKind>();
  for (const name of names) {
    const kind = countedKind(name);
    kinds.set(kindKey(kind), kind);
  }
  return [...kinds.values()];
}
