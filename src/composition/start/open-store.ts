import { checkDataDirectory } from '../../files/data-directory.ts';
import type { OptionSlice } from '../../options/flags/table.ts';
import { storageTypeOf } from '../../resources/storage-type.ts';
import { MeasuredStorage } from '../../storage/measured-storage.ts';
import type { Storage } from '../../storage/storage.ts';
import { type Encryption, encryptStorage } from '../encryption.ts';
import { openStorage } from '../open-storage.ts';
import type { Instruments } from './open-instruments.ts';
import type { StartContext } from './start-context.ts';

/** The options of this phase. */
type StoreOptions = OptionSlice<'dataDir'>;

/** The store of a cluster. It stays open when the cluster starts again. */
export interface Store {
  /** What all parts read and write. */
  readonly storage: Storage;
  /** The same without encryption, for allocations, which are never encrypted. */
  readonly unencrypted: Storage;
  readonly measured: MeasuredStorage;
  readonly encrypted: Encryption;
}

/** Opens the store; does not wait until it answers. It locks a data directory before anything is written there. */
export async function openStore(
  { configuration, encryption, clusterClock, logger, parts, termination }: StartContext,
  { metrics, egress }: Instruments,
): Promise<Store> {
  const { dataDir }: StoreOptions = configuration.values;
  if (configuration.storageBackend !== 'memory') checkDataDirectory(dataDir);
  const measured = await parts.use(
    'storage',
    async () =>
      new MeasuredStorage(
        await openStorage({
          configuration,
          clusterClock,
          logger,
          metrics,
          egress,
          onFatal: (error) => termination.fail(error),
        }),
        metrics,
        storageTypeOf,
      ),
    (started) => started.close(),
  );
  const encrypted = await parts.use(
    'encryption',
    () => encryptStorage({ configuration, encryption, storage: measured, metrics, logger }),
    (started) => started.stop(),
  );
  return { storage: encrypted.storage, unencrypted: measured, measured, encrypted };
}
