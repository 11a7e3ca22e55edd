import { describe, expect, it } from 'vitest';
import { requireRelease } from '../../../src/composition/release/claim-release.ts';
import type { ReleaseRecord } from '../../../src/storage/release-record.ts';

const recordOf = (written: string | undefined): ReleaseRecord => ({
  place: '/registry/ of etcd',
  read: async () => written,
  write: () => Promise.reject(new Error('nothing is written')),
});

describe('a server without --kubernetes-version that could not read the record at its start', () => {
  it('takes new data, and those of its own minor', async () => {
    await requireRelease(recordOf(undefined), '1.32');
    await requireRelease(recordOf('1.32'), '1.32');
  });

  it.each(['1.33', '1.34', '1.37'])('does not take over data of %s', async (written) => {
    await expect(requireRelease(recordOf(written), '1.32')).rejects.toThrow(
      `/registry/ of etcd was written under Kubernetes ${written}, which could not be read before the server was made for 1.32: start it again once etcd answers, or with --kubernetes-version=${written}`,
    );
  });

  it('reports a damaged record, and a minor that is not served', async () => {
    await expect(requireRelease(recordOf('x'), '1.32')).rejects.toThrow('is damaged ("x")');
    await expect(requireRelease(recordOf('1.31'), '1.32')).rejects.toThrow(
      'which this version does not serve',
    );
  });
});
