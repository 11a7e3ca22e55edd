import { readFileSync } from 'node:fs';
import { withFile } from '../../errors/configuration-error.ts';
import { Http2Channel } from '../../grpc/http2-channel.ts';
import type { Dial } from '../../grpc/open-session.ts';
import { type ProcessClock, processClock } from '../../time/clock.ts';
import { Cluster } from './cluster.ts';
import { EtcdStorage } from './etcd-storage.ts';
import { cleanPrefix, KeyMapper } from './keys.ts';

export interface EtcdOptions {
  /** `http://` or `https://` URLs, or `host:port` (`--etcd-servers`). */
  readonly servers: readonly string[];
  readonly prefix: string;
  /** Paths of PEM files; '' for none. */
  readonly caFile: string;
  readonly certificateFile: string;
  readonly keyFile: string;
  /** Milliseconds, as in {@link EtcdStorage}. */
  readonly compactionInterval: number;
  readonly healthTimeout: number;
  readonly readyTimeout: number;
  readonly statisticsInterval: number;
  readonly leaseReuseSeconds: number;
  /** Called with the number of keys of a lease when the next one is granted. */
  readonly onLeaseReplaced: (keys: number) => void;
  readonly onWarning: (message: string, error: Error) => void;
  readonly clock?: ProcessClock;
  /** Opens the connections to the servers; default: directly. */
  readonly dial?: Dial | undefined;
}

/** Milliseconds; kube-apiserver's value is 20 s, but another endpoint may answer sooner. */
const CONNECT_TIMEOUT = 2000;
const KEEPALIVE_INTERVAL = 5000;
const KEEPALIVE_TIMEOUT = 3000;
const ATTEMPT_TIMEOUT = 2000;
const CALL_TIMEOUT = 10_000;

/**
 * Connects to an etcd cluster; does not wait for it.
 * @throws ConfigurationError for certificates that cannot be read
 */
export function openEtcdStorage(options: EtcdOptions): EtcdStorage {
  const { clock = processClock } = options;
  return new EtcdStorage({
    cluster: connectCluster(options),
    keys: new KeyMapper(cleanPrefix(options.prefix)),
    clock,
    compactionInterval: options.compactionInterval,
    leaseReuseSeconds: options.leaseReuseSeconds,
    transactionTimeout: CALL_TIMEOUT,
    healthTimeout: options.healthTimeout,
    readyTimeout: options.readyTimeout,
    statisticsInterval: options.statisticsInterval,
    onLeaseReplaced: options.onLeaseReplaced,
    onWarning: options.onWarning,
  });
}

/**
 * Connects to an etcd cluster; does not wait for it.
 * @throws ConfigurationError for certificates that cannot be read
 */
export function connectCluster(
  options: Pick<EtcdOptions, 'servers' | 'caFile' | 'certificateFile' | 'keyFile' | 'clock' | 'dial'>,
): Cluster {
  const { clock = processClock, dial } = options;
  const pem = (file: string) => (file === '' ? undefined : withFile('open', file, () => readFileSync(file)));
  const tls = { ca: pem(options.caFile), cert: pem(options.certificateFile), key: pem(options.keyFile) };
  const scheme = Object.values(tls).some((value) => value !== undefined) ? 'https' : 'http';
  return new Cluster({
    endpoints: options.servers.map((server) => (server.includes('://') ? server : `${scheme}://${server}`)),
    createChannel: (url) =>
      new Http2Channel(url, {
        tls,
        ...(dial === undefined ? {} : { dial }),
        connectTimeout: CONNECT_TIMEOUT,
        keepaliveInterval: KEEPALIVE_INTERVAL,
        keepaliveTimeout: KEEPALIVE_TIMEOUT,
      }),
    clock,
    attemptTimeout: ATTEMPT_TIMEOUT,
    callTimeout: CALL_TIMEOUT,
  });
}
