import { createHash, randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Logger } from '../observability/log.ts';
import type { ServerMetrics } from '../observability/metrics-catalog.ts';
import type { OptionSlice } from '../options/flags/table.ts';
import type { Configuration } from '../options/options.ts';
import type { Egress } from '../outbound/egress.ts';
import type { ServerIdentity } from '../replicas/identity-lease.ts';
import type { Storage } from '../storage/storage.ts';
import { type EtcdOptionSlice, openEtcd } from './open-etcd.ts';

/** Opens the store of the flags. Loads lmdb, and the client of etcd, only if they are used. */
export async function openStorage(
  {
    storageBackend,
    storageDirectory,
    values,
  }: Pick<Configuration<EtcdOptionSlice>, 'storageBackend' | 'storageDirectory' | 'values'>,
  logger: Logger,
  metrics: ServerMetrics,
  egress: Egress,
  onFatal: (error: Error) => void,
): Promise<Storage> {
  if (storageBackend === 'etcd3') return openEtcd(values, logger, metrics, egress);
  if (storageBackend === 'memory')
    return (await import('../storage/memory/memory-storage.ts')).createMemoryStorage();
  return (await import('../storage/embedded/index.ts')).openEmbeddedStorage({
    directory: storageDirectory,
    onFatal,
  });
}

/**
 * Compacts periodically, each time up to the revision of the previous run, so that a version is kept for at
 * least one interval. A store that compacts itself is left alone.
 */
export function startCompaction(storage: Storage, intervalMilliseconds: number, logger: Logger): () => void {
  if (intervalMilliseconds <= 0 || storage.compactsItself) return () => undefined;
  let before = 0;
  const compact = async () => {
    const revision = before;
    before = await storage.currentRevision();
    await storage.compact(revision);
  };
  const run = () =>
    void compact().catch((error: Error) => logger.warn('failed to compact history', { err: error.message }));
  run();
  const timer = setInterval(run, intervalMilliseconds);
  timer.unref();
  return () => clearInterval(timer);
}

/** The options that identify a server. */
export type ServerIdentityOptions = OptionSlice<'securePort'>;

/**
 * The identity lease of this server: its name is stable for a machine and port, its holder is this process.
 */
export function serverIdentity({
  values,
}: Pick<Configuration<ServerIdentityOptions>, 'values'>): ServerIdentity {
  const host = hostname();
  const hash = createHash('sha256')
    .update(`${host}/${values.securePort}`)
    .digest('base64url')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
    .slice(0, 26)
    .padEnd(26, '0');
  const name = `apiserver-${hash}`;
  return { name, holder: `${name}_${randomUUID()}`, hostname: host };
}
