import { describe, expect, it } from 'vitest';
import { schemeOf } from '../../src/model/scheme.ts';
import { emulatedVersion } from '../../src/options/emulated-version.ts';
import { readFeatureGates } from '../../src/options/feature-gates.ts';
import { startCluster } from '../../src/testing/index.ts';

describe('emulated version', () => {
  it.each([
    [[], '1.32'],
    [['1.31'], '1.31'],
    [['kube=1.31'], '1.31'],
    [['v1.31.4'], '1.31'],
    [['kube=1.32'], '1.32'],
  ])('%j is %s', (values, version) => {
    expect(emulatedVersion(values, schemeOf())).toBe(version);
  });

  it('sets the defaults of the release, unlocks its gates and refuses later ones', () => {
    const former = readFeatureGates(
      ['CronJobsScheduledAnnotation=false', 'AllAlpha=true'],
      schemeOf(),
      '1.31',
    );
    expect(former.enabled('WatchList')).toBe(true);
    expect(former.enabled('CronJobsScheduledAnnotation')).toBe(false);
    expect(readFeatureGates([], schemeOf(), '1.31').enabled('WatchList')).toBe(false);
    expect(readFeatureGates(['AllAlpha=true'], schemeOf(), '1.31').enabled('MutatingAdmissionPolicy')).toBe(
      false,
    );
    expect(() => readFeatureGates(['MutatingAdmissionPolicy=true'], schemeOf(), '1.31')).toThrow(
      'cannot set feature gate MutatingAdmissionPolicy to true, feature is PreAlpha at emulated version 1.31',
    );
    expect(() => readFeatureGates(['CronJobsScheduledAnnotation=false'], schemeOf())).toThrow(
      'locked to true',
    );
  });

  it('serves the API versions of the release', async () => {
    const versions = async (options: object) => {
      const cluster = await startCluster({
        controllers: ['-*'],
        runtimeConfig: ['api/all=true'],
        ...options,
      });
      const { groups } = (await (await cluster.fetch('/apis')).json()) as {
        groups: { name: string; versions: { version: string }[] }[];
      };
      await cluster.stop();
      return Object.fromEntries(
        groups.map(({ name, versions: served }) => [name, served.map((one) => one.version)]),
      );
    };
    const latest = await versions({});
    expect(latest['resource.k8s.io']).toContain('v1beta1');
    expect(latest['storagemigration.k8s.io']).toBeUndefined();
    expect(latest['certificates.k8s.io']).toEqual(['v1']);
    const former = await versions({
      emulatedVersion: ['1.31'],
      featureGates: ['StorageVersionMigrator=true', 'ClusterTrustBundle=true'],
    });
    expect(former['resource.k8s.io']).toEqual(['v1alpha3']);
    expect(former['storagemigration.k8s.io']).toEqual(['v1alpha1']);
    expect(former['certificates.k8s.io']).toContain('v1alpha1');
  });
});
