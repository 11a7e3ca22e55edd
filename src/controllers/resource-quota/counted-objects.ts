import type { KubernetesObject } from '../../model/object.ts';
import { type CountedKind, countedKind } from '../../quota/counted.ts';
import type { Resource } from '../client.ts';
import type { ControllerContext, Source } from '../controller.ts';
import type { Informer } from '../informer.ts';

/** Finds the served version of a resource; undefined when it is not served. */
export type FindResource = (kind: CountedKind) => Resource | undefined;

/**
 * The objects that quotas count. A kind is watched once the first quota counts it.
 */
export class CountedObjects implements Source {
  readonly #informers = new Map<string, Informer>();
  readonly #parts: ControllerContext;
  readonly #find: FindResource;
  readonly #onLess: (namespace: string) => void;
  #stopped = false;
  readonly synced = Promise.resolve();
  #end!: () => void;
  /** Resolves when the source is stopped. */
  readonly ended = new Promise<void>((resolve) => {
    this.#end = resolve;
  });

  /** @param onLess called when the usage of a namespace may have decreased */
  constructor(parts: ControllerContext, find: FindResource, onLess: (namespace: string) => void) {
    this.#parts = parts;
    this.#find = find;
    this.#onLess = onLess;
  }

  start(): void {
    // Informers start on demand.
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#end();
    await Promise.all([...this.#informers.values()].map((informer) => informer.stop()));
  }

  get stopped(): boolean {
    return this.#stopped;
  }

  /** The objects of a namespace, after the initial list. */
  async of({ group, resource }: CountedKind, namespace: string): Promise<KubernetesObject[]> {
    const informer = this.#informer({ group, resource });
    if (informer === undefined) return [];
    await informer.synced;
    const prefix = `${namespace}/`;
    const found: KubernetesObject[] = [];
    for (const [key, object] of informer.objects) if (key.startsWith(prefix)) found.push(object);
    return found;
  }

  #informer(kind: CountedKind): Informer | undefined {
    const key = `${kind.group}/${kind.resource}`;
    const known = this.#informers.get(key);
    if (known !== undefined || this.#stopped) return known;
    const resource = this.#find(kind);
    if (resource === undefined) return undefined;
    const informer = this.#parts.informer(resource);
    informer.onChange((changed, object, previous) => {
      // Creations are charged at admission; updates and deletions may release usage.
      if (previous !== undefined && (object === undefined || mayUseLess(object, previous)))
        this.#onLess(changed.slice(0, changed.indexOf('/')));
    });
    this.#informers.set(key, informer);
    informer.start();
    return informer;
  }
}

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
    kinds.set(`${kind.group}/${kind.resource}`, kind);
  }
  return [...kinds.values()];
}
