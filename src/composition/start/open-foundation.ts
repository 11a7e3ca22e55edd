import { checkDataDirectory } from '../../files/data-directory.ts';
import type { OptionSlice } from '../../options/flags/table.ts';
import { loadTlsMaterial } from '../../pki/serving-certificates.ts';
import { storageTypeOf } from '../../registry/storage-type.ts';
import { MeasuredStorage } from '../../storage/measured-storage.ts';
import type { Storage } from '../../storage/storage.ts';
import { processClock } from '../../time/clock.ts';
import { createEgress } from '../egress.ts';
import { encryptStorage } from '../encryption.ts';
import { openMetrics } from '../metrics-options.ts';
import { openStorage } from '../open-storage.ts';
import { RequestGate } from '../request-gate.ts';
import { startListener } from '../start-listener.ts';
import { waitForStorage } from '../wait-for-storage.ts';
import type { StartContext } from './start-context.ts';

/** The options of this phase. */
type FoundationOptions = OptionSlice<'dataDir'>;

/** What the first phase started. */
export type Foundation = Awaited<ReturnType<typeof openFoundation>>;

/** Opens store, certificates and port. Until the store answers, only health checks are served. */
export async function openFoundation(start: StartContext) {
  const { configuration, logger, clusterClock, parts, termination } = start;
  const persist = configuration.storageBackend !== 'memory';
  const { dataDir }: FoundationOptions = configuration.values;
  if (persist) checkDataDirectory(dataDir);
  const metrics = await openMetrics(configuration.values, configuration.scheme.release);

  const egress = await createEgress(configuration.values, metrics);
  // Storage first: it locks the data directory before anything else is written there.
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
    () => encryptStorage({ configuration, encryption: start.encryption, storage: measured, metrics, logger }),
    (started) => started.stop(),
  );
  const { storage } = encrypted;
  // Allocations are never encrypted.
  const unencrypted: Storage = measured;
  const tls = loadTlsMaterial({
    configuration,
    now: new Date(processClock.now()),
    persist: persist || configuration.given.has('certDir'),
    warn: (message) => logger.warn(message),
  });
  const gate = new RequestGate();
  const { listener, port, url } = await parts.use(
    'listener',
    () => startListener(configuration, tls, gate.handle, logger),
    (started) => started.listener.close(),
  );
  await waitForStorage(storage, gate, logger);
  await encrypted.waitForKeys(gate);
  return {
    persist,
    metrics,
    egress,
    measured,
    unencrypted,
    encrypted,
    storage,
    tls,
    gate,
    listener,
    port,
    url,
  };
}
