import type { ResourceRow } from '../kinds/resource-row.ts';
import type { ResourceDefinition } from './resource-definition.ts';

/** Versions of a definition that stay published after they are not served any more; the oldest ones go. */
const MAXIMUM_FORMER_VERSIONS = 16;

/** The resources of one group version that are not served any more. */
interface FormerGroup {
  readonly group: string;
  readonly versions: readonly { readonly version: string; readonly resources: readonly ResourceRow[] }[];
}

/**
 * Resources of versions that were served and are not any more, while their CustomResourceDefinition exists. As
 * in kube-apiserver, their OpenAPI version 3 documents stay, in their last form.
 */
export class FormerResources {
  readonly #definitions = new Map<string, readonly ResourceDefinition[]>();
  #generation = 0;

  /** Increases with every change. */
  get generation(): number {
    return this.#generation;
  }

  /** The former resources of a CustomResourceDefinition. */
  of(definition: string): readonly ResourceDefinition[] {
    return this.#definitions.get(definition) ?? [];
  }

  /** Replaces the former resources of a CustomResourceDefinition. */
  set(definition: string, resources: readonly ResourceDefinition[]): void {
    if (resources.length === 0) {
      if (this.#definitions.delete(definition)) this.#generation += 1;
      return;
    }
    this.#definitions.set(definition, resources);
    this.#generation += 1;
  }

  /**
   * Keeps the resources of a CustomResourceDefinition whose versions are not served any more.
   * @param before the resources that were served
   */
  keep(
    definition: string,
    before: readonly ResourceDefinition[],
    served: readonly ResourceDefinition[],
  ): void {
    const known = this.of(definition);
    const versions = new Set(served.map(({ row }) => row.version));
    const left = [...known, ...before].filter(({ row }) => !versions.has(row.version));
    if (known.length > 0 || left.length > 0) this.set(definition, left.slice(-MAXIMUM_FORMER_VERSIONS));
  }

  groups(): readonly FormerGroup[] {
    return [...this.#definitions.values()].flatMap((resources) =>
      resources.map(({ row }) => ({
        group: row.group,
        versions: [{ version: row.version, resources: [row] }],
      })),
    );
  }
}
