import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { writeYaml } from '../../../src/codec/yaml-write.ts';
import { ServedResource } from '../../../src/resources/served-resource.ts';
import { createMemoryStorage } from '../../../src/storage/memory/memory-storage.ts';
import { startCluster } from '../../../src/testing/index.ts';
import { smallServer } from '../../support/small-server.ts';

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

it('makes the first answer to a read of a large object in steps, whatever the size of the request', async () => {
  const server = smallServer({ storage: createMemoryStorage() });
  try {
    const maps = '/api/v1/namespaces/n/configmaps';
    const data = Object.fromEntries(Array.from({ length: 3000 }, (_, index) => [`k${index}`, 'value']));
    await server.send('POST', maps, { metadata: { name: 'm' }, data });
    const prepare = vi.spyOn(ServedResource.prototype, 'prepare');
    expect((await server.send('GET', `${maps}/m`)).object.data).toEqual(data);
    expect(prepare.mock.results.at(-1)!.value).toBeDefined();
    expect((await server.send('GET', `${maps}/m`)).object.data).toEqual(data);
    expect(prepare.mock.results.at(-1)!.value).toBeUndefined();
  } finally {
    await server.close();
  }
});

it('streams a text that is much longer than the object', async () => {
  const cluster = await startCluster({ controllers: ['-*'], disableAdmissionPlugins: ['ServiceAccount'] });
  try {
    const schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
    const names = { plural: 'things', kind: 'Thing' };
    const version = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } };
    const spec = { group: 'example.com', scope: 'Namespaced', names, versions: [version] };
    await cluster.fetch('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
      method: 'POST',
      body: { metadata: { name: 'things.example.com' }, spec },
    });
    const things = '/apis/example.com/v1/namespaces/default/things';
    await vi.waitFor(async () => expect((await cluster.fetch(things)).status).toBe(200));
    let deep: object = Object.fromEntries(Array.from({ length: 8000 }, (_, index) => [`k${index}`, index]));
    for (let depth = 0; depth < 400; depth += 1) deep = { a: deep };
    const body = { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'deep' }, spec: deep };
    expect((await cluster.fetch(things, { method: 'POST', body })).status).toBe(201);
    const object = await (await cluster.fetch(`${things}/deep`)).json();
    for (const [query, accept, expected] of [
      ['', 'application/yaml', writeYaml(object)],
      ['?pretty=1', 'application/json', JSON.stringify(object, null, 2)],
    ] as const) {
      const answer = await cluster.fetch(`${things}/deep${query}`, { headers: { accept } });
      let chunks = 0;
      let text = '';
      for await (const chunk of answer.body!) {
        chunks += 1;
        text += Buffer.from(chunk).toString('latin1');
      }
      expect(chunks).toBeGreaterThan(5);
      expect(text.length).toBeGreaterThan(6 << 20);
      expect(text === expected).toBe(true);
    }
  } finally {
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
