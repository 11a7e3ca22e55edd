import { describe, expect, it } from 'vitest';
import { createAdmissionChain } from '../../src/admission/chain.ts';
import { storedOnlyNotice } from '../../src/admission/stored-only.ts';
import { createLogger } from '../../src/observability/log.ts';
import type { AdmissionOperation } from '../../src/request/admission.ts';
import { startCluster } from '../../src/testing/index.ts';
import { admissionRequest } from './fixtures.ts';

describe('kinds that are stored and not acted upon', () => {
  const KINDS = [
    ['admissionregistration.k8s.io', 'validatingwebhookconfigurations'],
    ['admissionregistration.k8s.io', 'mutatingwebhookconfigurations'],
  ] as const;

  it('are logged at the first write of each kind', async () => {
    const lines: string[] = [];
    const chain = createAdmissionChain([
      storedOnlyNotice(createLogger({ format: 'text', verbosity: 0, write: (line) => lines.push(line) })),
    ]);
    const write = (operation: AdmissionOperation, group: string, resource: string, dryRun = false) =>
      chain.validate(
        admissionRequest(
          resource,
          { metadata: { name: 'x' } },
          { operation, resource: { group, version: 'v1', resource }, dryRun },
        ),
      );
    for (const [group, resource] of KINDS) {
      await write('CREATE', group, resource, true);
      await write('DELETE', group, resource);
      expect(lines).toEqual([]);
      await write('UPDATE', group, resource);
      await write('CREATE', group, resource);
      expect(lines.splice(0)).toEqual([
        expect.stringContaining(`${resource} are stored and not yet acted upon`),
      ]);
    }
    await write('CREATE', 'apiextensions.k8s.io', 'customresourcedefinitions');
    expect(lines).toEqual([]);
  });

  it('cause no warning in the response', async () => {
    await using cluster = await startCluster({ controllers: ['-*'] });
    const collection = '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations';
    const answer = await cluster.fetch(collection, {
      method: 'POST',
      body: { metadata: { name: 'm' }, webhooks: [] },
    });
    expect([answer.status, answer.headers.get('warning')]).toEqual([201, null]);
    expect(cluster.log.filter((line) => line.includes('not yet acted upon'))).toHaveLength(1);
  });
});
