import { createHash, randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { ServerIdentity } from '../bootstrap/identity-lease.ts';
import { labelValue } from '../model/name-syntax.ts';
import type { Logger } from '../observability/log.ts';
import type { ServerMetrics } from '../observability/metrics-catalog.ts';
import type { Configuration } from '../options/options.ts';
import type { Egress } from '../outbound/egress.ts';
import type { MemoryStorage } from '../storage/memory/memory-storage.ts';
import type { Storage } from '../storage/storage.ts';
import { type ClusterClock, processClock } from '../time/clock.ts';
import { type EtcdOptionSlice, openEtcd } from './open-etcd.ts';

export interface OpenStorageOptions {
  readonly configuration: Pick<
    Configuration<EtcdOptionSlice>,
    'storageBackend' | 'storageDirectory' | 'values' | 'scheme'
  >;
  /** Times to live count by it, except on etcd, whose leases count by etcd's own clock. */
  readonly clusterClock: ClusterClock;
  readonly logger: Logger;
  readonly metrics: ServerMetrics;
  readonly egress: Egress;
  readonly onFatal: (error: Error) => void;
}

/** Opens the store of the flags. Loads lmdb, and the client of etcd, only if they are used. */
export async function openStorage(options: OpenStorageOptions): Promise<Storage | MemoryStorage> {
  const { configuration, clusterClock, logger, metrics, egress, onFatal } = options;
  const { storageBackend, storageDirectory, values, scheme } = configuration;
  if (storageBackend === 'etcd3') return openEtcd(values, logger, metrics, egress, scheme);
  if (storageBackend === 'memory')
    return (await import('../storage/memory/memory-storage.ts')).createMemoryStorage({ clusterClock });
  return (await import('../storage/embedded/index.ts')).openEmbeddedStorage({
    directory: storageDirectory,
    clusterClock,
    onConversion: (from, to) =>
      logger.info('converting the data directory; older versions cannot read it afterwards', {
        directory: storageDirectory,
        from,
        to,
      }),
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
  return processClock.every(intervalMilliseconds, run);
}

/**
 * The identity lease of this server: its name stands for the machine, as in kube-apiserver, its holder is this
 * process. Servers of one machine renew the same lease.
 */
export function serverIdentity(host = hostname()): ServerIdentity {
  const hash = createHash('sha256');
  for (const part of [host, 'kube-apiserver'].map((text) => Buffer.from(text))) {
    const length = Buffer.alloc(2);
    length.writeUInt16BE(part.length);
    hash.update(length).update(part);
  }
  const name = `apiserver-${base32(hash.digest().subarray(0, 16))}`;
  return { name, holder: `${name}_${randomUUID()}`, hostname: asLabelValue(host) };
}

/** A host name as the value of a label, which is shorter: cut where needed, empty if it has other characters. */
function asLabelValue(host: string): string {
  const value = host.slice(0, LONGEST_LABEL_VALUE).replace(/[-._]{1,63}$/, '');
  return labelValue(value).length === 0 ? value : '';
}

const LONGEST_LABEL_VALUE = 63;

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';

/** Base 32 of RFC 4648 in lower case, without padding. */
function base32(bytes: Uint8Array): string {
  let [text, bits, count] = ['', 0, 0];
  for (const byte of bytes) {
    bits = (bits << 8) | byte;
    for (count += 8; count >= 5; count -= 5) text += BASE32[(bits >> (count - 5)) & 31];
    bits &= (1 << count) - 1;
  }
  return count === 0 ? text : text + BASE32[(bits << (5 - count)) & 31];
}
