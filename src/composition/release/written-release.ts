import { misgivenOptions } from '../../options/given-options.ts';
import type { ServerOptions } from '../../options/options.ts';
import { INITIAL_VALUES } from '../../options/validation/others.ts';
import { storageBackend, validateStorage } from '../../options/validation/storage.ts';
import { StorageUnavailableError } from '../../storage/storage.ts';
import { chooseRelease } from './choose-release.ts';
import { withReleaseRecord } from './release-record.ts';

/** Milliseconds in which etcd must answer. */
const TIMEOUT = 2000;

/**
 * Options without a Kubernetes version get that of the data that they name; others are returned as they are. An etcd
 * that does not answer, or that is behind a proxy, is taken for one without data: `claimStore` compares again.
 * @throws ConfigurationError when the data cannot be served
 */
export async function withWrittenRelease(options: ServerOptions): Promise<ServerOptions> {
  // The validation reports wrong options.
  if (options.kubernetesVersion !== undefined || misgivenOptions({ ...options }).length > 0) return options;
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  const values = { ...INITIAL_VALUES, ...given };
  const backend = values.ephemeral ? 'memory' : storageBackend(values.storageBackend, values.etcdServers);
  if (backend === 'memory' || validateStorage(values).length > 0) return options;
  if (backend === 'etcd3' && values.egressSelectorConfigFile !== '') return options;
  try {
    const kubernetesVersion = await withReleaseRecord(
      values,
      backend,
      async (record) => chooseRelease(record.place, await record.read(), undefined),
      { timeout: TIMEOUT },
    );
    return { ...options, kubernetesVersion };
  } catch (error) {
    if (error instanceof StorageUnavailableError) return options;
    throw error;
  }
}
