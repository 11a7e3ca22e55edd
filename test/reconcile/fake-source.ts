import type { KubernetesObject } from '../../src/model/object.ts';
import type {
  ChangeListener,
  IndexedSource,
  ObjectIndex,
  SourceObject,
} from '../../src/reader/object-source.ts';

const sourceObject = (object: KubernetesObject): SourceObject => ({
  object,
  peek: () => object,
  read: () => object,
  metadata: () => object.metadata ?? {},
});

/** Objects that a test sets. */
export class FakeSource implements IndexedSource {
  readonly synced = Promise.resolve();
  readonly #objects: Map<string, SourceObject>;
  #listener: ChangeListener = () => undefined;

  constructor(objects: readonly KubernetesObject[] = []) {
    this.#objects = new Map(objects.map((object) => [object.metadata?.name ?? '', sourceObject(object)]));
  }

  start(): void {}

  async stop(): Promise<void> {}

  onChange(listener: ChangeListener): void {
    this.#listener = listener;
  }

  has(key: string): boolean {
    return this.#objects.has(key);
  }

  get(key: string): KubernetesObject | undefined {
    return this.#objects.get(key)?.object;
  }

  read(key: string): KubernetesObject | undefined {
    return this.get(key);
  }

  entries(): Iterable<readonly [key: string, object: SourceObject]> {
    return this.#objects;
  }

  *find(index: ObjectIndex, key: string): Generator<readonly [key: string, object: SourceObject], void> {
    for (const entry of this.#objects) if (index(entry[1]).includes(key)) yield entry;
  }

  async caughtUp(): Promise<void> {}

  set(key: string, object: KubernetesObject): void {
    const previous = this.#objects.get(key);
    const current = sourceObject(object);
    this.#objects.set(key, current);
    this.#listener(key, current, previous);
  }

  delete(key: string): void {
    const previous = this.#objects.get(key);
    this.#objects.delete(key);
    if (previous !== undefined) this.#listener(key, undefined, previous);
  }
}
