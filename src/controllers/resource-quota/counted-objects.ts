import type { KubernetesObject } from '../../model/object.ts';
import { type CountedKind, countedKind } from '../../quota/counted.ts';
import type { Resource } from '../client.ts';
import type { ControllerContext, Source } from '../controller.ts';
import type { Informer } from '../informer.ts';

/** The resource of a kind in the version that is served; undefined where there is none. */
export type FindResource = (kind: CountedKind) => Resource | undefined;

/**
 * The objects that quotas count. Kinds are watched from the first quota on that counts them: without quotas
 * nothing is.
 */
export class CountedObjects implements Source {
  readonly #informers = new Map<string, Informer>();
  readonly #parts: ControllerContext;
  readonly #find: FindResource;
  readonly #onLess: (namespace: string) => void;
  #stopped = false;
  readonly synced = Promise.resolve();
  #end!: () => void;
  /** Resolves when nothing is followed any more. */
  readonly ended = new Promise<void>((resolve) => {
    this.#end = resolve;
  });

  /** @param onLess told when a namespace may use less than before */
  constructor(parts: ControllerContext, find: FindResource, onLess: (namespace: string) => void) {
    this.#parts = parts;
    this.#find = find;
    this.#onLess = onLess;
  }

  start(): void {
    // Nothing is followed before a quota asks for it.
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#end();
    await Promise.all([...this.#informers.values()].map((informer) => informer.stop()));
  }

  get stopped(): boolean {
    return this.#stopped;
  }

  /** The objects of a namespace, once they are known. */
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
      // What is new has been charged when it was admitted; what went, or changed, may have given something
      // back.
      if (previous !== undefined && (object === undefined || mayUseLess(object, previous)))
        this.#onLess(changed.slice(0, changed.indexOf('/')));
    });
    this.#informers.set(key, informer);
    informer.start();
    return informer;
  }
}

/** Pods that have ended use nothing any more; specifications may ask for less than before. */
function mayUseLess(object: KubernetesObject, previous: KubernetesObject): boolean {
  const phase = ({ status }: KubernetesObject) => (status as { phase?: string } | undefined)?.phase;
  return (
    phase(object) !== phase(previous) ||
    object.metadata?.generation !== previous.metadata?.generation ||
    object.metadata?.generation === undefined
  );
}

/** Kinds that a quota with these resource names counts, each once. */
export function kindsOf(names: Iterable<string>): CountedKind[] {
  const kinds = new Map<string, CountedKind>();
  for (const name of names) {
    const kind = countedKind(name);
    kinds.set(`${kind.group}/${kind.resource}`, kind);
  }
  return [...kinds.values()];
}
