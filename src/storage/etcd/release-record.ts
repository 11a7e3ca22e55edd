import type { ReleaseRecord } from '../release-record.ts';
import type { Cluster } from './cluster.ts';
import { decodeHeaderOnly, decodeRange } from './messages.ts';
import { PUT, RANGE } from './paths.ts';
import { encodePut, encodeRange } from './requests.ts';

/** Below the prefix. No kind is stored there: groups of custom resources have a dot. */
const KEY = '/binnacle/kubernetes-version';

/** The key of the record. @param prefix without a slash at its end */
export const releaseKey = (prefix: string): string => `${prefix}${KEY}`;

/**
 * The record of an etcd prefix. It is a key of its own, which kube-apiserver leaves alone.
 * @param timeout milliseconds of a call; default: that of the cluster
 */
export function etcdReleaseRecord(cluster: Cluster, prefix: string, timeout?: number): ReleaseRecord {
  const key = releaseKey(prefix);
  const limits = timeout === undefined ? {} : { timeout };
  return {
    place: `${prefix}/ of etcd`,
    async read() {
      const { entries } = await cluster.call(RANGE, encodeRange({ key }), decodeRange, limits);
      return entries[0] && Buffer.from(entries[0].value).toString('utf8');
    },
    async write(minor) {
      await cluster.call(PUT, encodePut(key, Buffer.from(minor)), decodeHeaderOnly, limits);
    },
  };
}
