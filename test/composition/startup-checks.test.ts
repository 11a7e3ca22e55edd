import { describe, expect, it } from 'vitest';
import { StartupChecks, type StartupPhase } from '../../src/composition/startup-checks.ts';
import { startCluster } from '../../src/testing/index.ts';
import recorded from '../fixtures/health-checks.json' with { type: 'json' };

const PHASES: readonly StartupPhase[] = ['bootstrap', 'services', 'chain', 'loops'];

describe('startup checks', () => {
  it('fail until their phase has finished', () => {
    const startup = new StartupChecks({
      fairness: true,
      proxyCertificate: false,
      serviceRanges: false,
      peers: false,
      awaitsCaches: false,
    });
    const failing = () => startup.checks.filter(({ check }) => check() !== undefined).map(({ name }) => name);
    expect(failing()).toEqual(startup.checks.map(({ name }) => name));
    let before = startup.checks.length;
    for (const phase of PHASES) {
      startup.finish(phase);
      expect(failing().length).toBeLessThan(before);
      before = failing().length;
    }
    expect(failing()).toEqual([]);
  });

  it('include the in-flight limits without priority and fairness', () => {
    const names = new StartupChecks({
      fairness: false,
      proxyCertificate: false,
      serviceRanges: false,
      peers: false,
      awaitsCaches: false,
    }).checks.map(({ name }) => name);
    expect(names).toContain('poststarthook/max-in-flight-filter');
    expect(names.filter((name) => name.includes('priority-and-fairness'))).toEqual([
      'poststarthook/priority-and-fairness-config-producer',
    ]);
  });

  it('include the certificate for extension servers', () => {
    const names = new StartupChecks({
      fairness: true,
      proxyCertificate: true,
      serviceRanges: false,
      peers: false,
      awaitsCaches: false,
    }).checks.map(({ name }) => name);
    const at = names.indexOf('poststarthook/start-kube-aggregator-informers');
    expect(names[at - 1]).toBe('poststarthook/aggregator-reload-proxy-client-cert');
  });

  it('all recorded checks pass on a started server', async () => {
    await using cluster = await startCluster({ controllers: ['-*'] });
    for (const [endpoint, names] of Object.entries(recorded)) {
      const response = await cluster.fetch(`${endpoint}?verbose`);
      expect(await response.text()).toBe(
        [...names.map((name) => `[+]${name} ok`), `${endpoint.slice(1)} check passed`, ''].join('\n'),
      );
    }
    expect((await cluster.fetch('/readyz/poststarthook/rbac/bootstrap-roles')).status).toBe(200);
  });
});
