import type { Dial } from '../../grpc/open-session.ts';
import type { OptionSlice } from '../../options/flags/table.ts';
import type { ReleaseRecord } from '../../storage/release-record.ts';
import { holdingClock } from '../../time/clock.ts';
import { releaseFile } from './release-file.ts';

/** The options that say where the record is. */
export type RecordOptions = OptionSlice<
  'dataDir' | 'etcdCafile' | 'etcdCertfile' | 'etcdKeyfile' | 'etcdPrefix' | 'etcdServers'
>;

/**
 * Calls a function with the record of a store that lasts.
 * @param etcd how it is reached: `dial` opens connections (default: directly), `timeout` has the milliseconds of a call
 * @throws StorageUnavailableError when etcd does not answer, and the errors of `use`
 */
export async function withReleaseRecord<Result>(
  values: RecordOptions,
  backend: 'embedded' | 'etcd3',
  use: (record: ReleaseRecord) => Promise<Result>,
  etcd: { readonly dial?: Dial | undefined; readonly timeout?: number } = {},
): Promise<Result> {
  if (backend === 'embedded') return use(releaseFile(values.dataDir));
  const { cleanPrefix, connectCluster, etcdReleaseRecord } = await import('../../storage/etcd/index.ts');
  const cluster = connectCluster({
    servers: values.etcdServers,
    caFile: values.etcdCafile,
    certificateFile: values.etcdCertfile,
    keyFile: values.etcdKeyfile,
    dial: etcd.dial,
    // The command reads the record before anything else keeps the process.
    clock: holdingClock,
  });
  try {
    return await use(etcdReleaseRecord(cluster, cleanPrefix(values.etcdPrefix), etcd.timeout));
  } finally {
    cluster.close();
  }
}
