import { describe, expect, it } from 'vitest';
import { schemeOf } from '../../src/model/scheme.ts';
import { readKubernetesVersion } from '../../src/options/kubernetes-version.ts';
import { startCluster } from '../../src/testing/index.ts';

describe('--kubernetes-version', () => {
  it.each([
    ['1.32', '1.32'],
    ['v1.34', '1.34'],
    ['1.34.1', '1.34'],
    ['1.34.x', '1.34'],
  ])('%s is release %s', (text, minor) => expect(readKubernetesVersion(text)).toBe(minor));

  it.each(['', '1', '1.3', '1.320', '2.32', 'latest', '1.32-alpha', '1.34.1.2'])('refuses %j', (text) =>
    expect(() => readKubernetesVersion(text)).toThrow('use one of 1.32'),
  );

  it('loads a release before it is used', async () => {
    await using cluster = await startCluster({ kubernetesVersion: '1.34', controllers: ['-*'] });
    const { gitVersion, minor } = (await (await cluster.fetch('/version')).json()) as Record<string, string>;
    expect(gitVersion).toMatch(/^v1\.34\.\d+\+binnacle/);
    expect(minor).toBe('34');
    expect(schemeOf('1.34').types.ofKind('resource.k8s.io', 'v1', 'ResourceClaim')?.name).toBe(
      'resource_v1.ResourceClaim',
    );
    expect(schemeOf('1.32').types.ofKind('resource.k8s.io', 'v1', 'ResourceClaim')).toBeUndefined();
  });

  it('reports a wrong version as an option of a wrong value', async () => {
    await expect(startCluster({ kubernetesVersion: '1.20' })).rejects.toThrow('--kubernetes-version');
    await expect(startCluster({ kubernetesVersion: 132 as never })).rejects.toThrow('kubernetesVersion');
  });
});
