import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { ServedResource } from '../../../src/resources/served-resource.ts';
import { startCluster } from '../../../src/testing/index.ts';

afterEach(() => vi.restoreAllMocks());

it('makes the answer to a large write in steps, even if its turn has time left', async () => {
  const cluster = await startCluster({ controllers: ['-*'], disableAdmissionPlugins: ['ServiceAccount'] });
  try {
    const data = Object.fromEntries(Array.from({ length: 40_000 }, (_, index) => [`k${index}`, 'v']));
    const body = JSON.stringify({ metadata: { name: 'large' }, data });
    const prepare = vi.spyOn(ServedResource.prototype, 'prepare');
    const now = performance.now();
    vi.spyOn(performance, 'now').mockReturnValue(now);
    const answer = await cluster.fetch('/api/v1/namespaces/default/configmaps?dryRun=All', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    expect(answer.status).toBe(201);
    expect(((await answer.json()) as { data: object }).data).toEqual(data);
    expect(prepare).toHaveBeenCalledOnce();
    expect(prepare.mock.results[0]!.value).toBeDefined();
  } finally {
    vi.restoreAllMocks();
    await cluster.stop();
  }
});

it('records the answer of an audited request after it was made in steps', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'audit-'));
  const policy = join(directory, 'policy.yaml');
  const log = join(directory, 'audit.log');
  writeFileSync(policy, 'apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{ level: RequestResponse }]\n');
  const cluster = await startCluster({
    controllers: ['-*'],
    disableAdmissionPlugins: ['ServiceAccount'],
    auditPolicyFile: policy,
    auditLogPath: log,
  });
  try {
    const data = Object.fromEntries(Array.from({ length: 40_000 }, (_, index) => [`k${index}`, 'v']));
    const prepare = vi.spyOn(ServedResource.prototype, 'prepare');
    const json = vi.spyOn(ServedResource.prototype, 'json');
    const answer = await cluster.fetch('/api/v1/namespaces/default/configmaps?dryRun=All', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ metadata: { name: 'large' }, data }),
    });
    expect(answer.status).toBe(201);
    const ofLarge = ({ mock }: typeof prepare | typeof json): number | undefined =>
      mock.invocationCallOrder[mock.calls.findIndex(([{ value }]) => value.length > 100_000)];
    expect(ofLarge(prepare)).toBeLessThan(ofLarge(json)!);
    const recorded = (): { responseObject: object } =>
      readFileSync(log, 'utf8')
        .split('\n')
        .filter((line) => line.includes('dryRun=All') && line.includes('ResponseComplete'))
        .map((line) => JSON.parse(line))[0];
    await vi.waitFor(() => expect(recorded()).toBeDefined());
    expect(recorded().responseObject).toEqual(await answer.json());
  } finally {
    vi.restoreAllMocks();
    await cluster.stop();
    rmSync(directory, { recursive: true });
  }
});
