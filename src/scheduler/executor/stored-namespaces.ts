import type { IndexedSource } from '../../reader/object-source.ts';
import type { NamedContext } from '../../reconcile/controller.ts';
import { NAMESPACES } from '../../reconcile/resources.ts';
import { type Labels, NO_LABELS } from '../objects/label-matcher.ts';
import type { NamespaceView } from '../view.ts';
import { SourceGroup } from './source-group.ts';

/** The namespaces of this server. */
export class StoredNamespaces implements NamespaceView {
  readonly #source: IndexedSource;
  readonly group: SourceGroup;

  constructor({ objects }: Pick<NamedContext, 'objects'>) {
    this.#source = objects(NAMESPACES);
    this.group = new SourceGroup(this.#source);
  }

  labels(namespace: string): Labels {
    return this.#source.get(namespace)?.metadata?.labels ?? NO_LABELS;
  }

  *entries(): Generator<readonly [namespace: string, labels: Labels], void> {
    for (const [name, namespace] of this.#source.entries())
      yield [name, namespace.metadata().labels ?? NO_LABELS];
  }
}
