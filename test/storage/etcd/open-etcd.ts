import { Http2Channel } from '../../../src/grpc/http2-channel.ts';
import { Cluster, type ClusterOptions } from '../../../src/storage/etcd/cluster.ts';
import { EtcdStorage, type EtcdStorageOptions } from '../../../src/storage/etcd/etcd-storage.ts';
import { KeyMapper } from '../../../src/storage/etcd/keys.ts';
import { processClock } from '../../../src/time/clock.ts';
import { CHANNEL } from './etcd-process.ts';

let tests = 0;

/** A prefix that no other test uses. */
export const uniquePrefix = (): string => `/test-${process.pid}-${++tests}`;

/** Connects to a cluster. */
export function openCluster(endpoints: readonly string[], options: Partial<ClusterOptions> = {}): Cluster {
  return new Cluster({
    endpoints,
    createChannel: (url) => new Http2Channel(url, CHANNEL),
    clock: processClock,
    // Long: an update or deletion whose attempt ended without an answer has an unknown outcome.
    attemptTimeout: 5000,
    callTimeout: 20_000,
    random: () => 0,
    ...options,
  });
}

/** Opens a store whose keys are below a prefix of their own. */
export async function openEtcd(
  endpoints: readonly string[],
  options: Partial<EtcdStorageOptions> & Partial<ClusterOptions> & { readonly prefix?: string } = {},
): Promise<EtcdStorage> {
  const storage = new EtcdStorage({
    cluster: openCluster(endpoints, options),
    keys: new KeyMapper(options.prefix ?? uniquePrefix(), ''),
    clock: processClock,
    compactionInterval: 0,
    leaseReuseSeconds: 60,
    transactionTimeout: 20_000,
    healthTimeout: 2000,
    readyTimeout: 2000,
    statisticsInterval: 0,
    onWarning: () => undefined,
    ...options,
  });
  await storage.currentRevision();
  return storage;
}
