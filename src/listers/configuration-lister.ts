import type { ConfigurationLister } from '../admission/listers.ts';
import type { Resources } from '../resources/resources.ts';
import { Lister } from './listers.ts';

const GROUP = 'admissionregistration.k8s.io';

/**
 * Lists the stored objects of a kind that configures admission. The cache is filled when it resolves, and
 * followed by events from then on.
 */
export async function configurationLister(
  resources: Resources,
  resource: string,
): Promise<ConfigurationLister> {
  const lister = new Lister(resources, GROUP, resource);
  await lister.cache.waitFresh(0);
  return new StoredConfigurations(lister);
}

class StoredConfigurations implements ConfigurationLister {
  readonly #lister: Lister;

  constructor(lister: Lister) {
    this.#lister = lister;
  }

  get generation(): number {
    return this.#lister.cache.generation;
  }

  list(): ReturnType<ConfigurationLister['list']> {
    return this.#lister.listCached();
  }
}
