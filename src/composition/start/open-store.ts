import { checkDataDirectory } from '../../files/data-directory.ts';
import type { OptionSlice } from '../../options/flags/table.ts';
import { storageTypeOf } from '../../resources/storage-type.ts';
import { MeasuredStorage } from '../../storage/measured-storage.ts';
import type { MemoryStorage } from '../../storage/memory/memory-storage.ts';
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
  /** The store itself if it is in memory: it can be forked. */
  readonly memory: MemoryStorage | undefined;
}

/** Opens the store; does not wait until it answers. It locks a data directory before anything is written there. */
export async function openStore(
  { configuration, encryption, clusterClock, logger, parts, termination }: StartContext,
  { metrics, egress }: Instruments,
): Promise<Store> {
  const { dataDir }: StoreOptions = configuration.values;
  if (configuration.storageBackend !== 'memory') checkDataDirectory(dataDir);
  const opened = await parts.use(
    'storage',
    () =>
      openStorage({
        configuration,
        clusterClock,
        logger,
        metrics,
        egress,
        onFatal: (error) => termination.fail(error),
      }),
    (started) => started.close(),
  );
  const measured = new MeasuredStorage(opened, metrics, storageTypeOf);
  const encrypted = await parts.use(
    'encryption',
    () => encryptStorage({ configuration, encryption, storage: measured, metrics, logger }),
    (started) => started.stop(),
  );
  return {
    storage: encrypted.storage,
    unencrypted: measured,
    measured,
    encrypted,
    memory: asMemoryStorage(opened),
  };
}

const asMemoryStorage = (storage: Storage | MemoryStorage): MemoryStorage | undefined =>
  'fork' in storage ? storage : undefined;
