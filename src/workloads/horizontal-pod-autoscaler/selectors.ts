import type { Pod } from '../../model/generated/core-v1.ts';
import type { LabelSelector } from '../../model/label-selector.ts';

/** Which Pods each autoscaler counts, to find those of several ones. */
export class AutoscalerSelectors {
  readonly #selectors = new Map<string, LabelSelector>();

  /** @param key `namespace/name` of an autoscaler */
  set(key: string, selector: LabelSelector): void {
    this.#selectors.set(key, selector);
  }

  delete(key: string): void {
    this.#selectors.delete(key);
  }

  /** The names of the autoscalers of a namespace that count any of its Pods. */
  counting(namespace: string, pods: readonly Pod[]): readonly string[] {
    const prefix = `${namespace}/`;
    return [...this.#selectors]
      .filter(
        ([key, { matches }]) =>
          key.startsWith(prefix) && pods.some(({ metadata }) => matches(metadata?.labels ?? {})),
      )
      .map(([key]) => key.slice(prefix.length));
  }
}
