import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startCluster, type TestCluster } from '../../src/testing/index.ts';

interface Named {
  metadata: { name: string };
}

describe('a cluster for a test', () => {
  let cluster: TestCluster;
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(() => cluster.stop());

  it('answers its administrator without a socket', async () => {
    const namespace = await cluster.createNamespace('own');
    expect(namespace).toMatch(/^own-/);
    const path = `/api/v1/namespaces/${namespace}/configmaps`;
    const created = await cluster.fetch(path, {
      method: 'POST',
      body: { metadata: { name: 'a' }, data: { b: 'c' } },
    });
    expect(created.status).toBe(201);
    const found = (await (await cluster.fetch(`${path}/a`)).json()) as { data: unknown };
    expect(found.data).toEqual({ b: 'c' });
  });

  it('lets credentials in the request decide', async () => {
    expect(
      (await cluster.fetch('/api/v1/namespaces', { headers: { Authorization: 'Bearer unknown' } })).status,
    ).toBe(401);
  });

  it('streams a watch, which aborting ends', async () => {
    const namespace = await cluster.createNamespace();
    const path = `/api/v1/namespaces/${namespace}/configmaps`;
    const controller = new AbortController();
    const watch = await cluster.fetch(`${path}?watch=1`, { signal: controller.signal });
    const reader = watch.body!.getReader();
    await cluster.fetch(path, { method: 'POST', body: { metadata: { name: 'seen' } } });
    const { value } = await reader.read();
    const event = JSON.parse(Buffer.from(value!).toString()) as { type: string; object: Named };
    expect([event.type, event.object.metadata.name]).toEqual(['ADDED', 'seen']);
    controller.abort();
    await expect(reader.read()).rejects.toThrow();
  });

  it('shares nothing with another cluster', async () => {
    const other = await startCluster();
    const directory = dirname(other.kubeconfigFile);
    try {
      await other.fetch('/api/v1/namespaces', { method: 'POST', body: { metadata: { name: 'elsewhere' } } });
      expect((await cluster.fetch('/api/v1/namespaces/elsewhere')).status).toBe(404);
      expect(other.url).not.toBe(cluster.url);
    } finally {
      await other.stop();
    }
    expect(existsSync(directory)).toBe(false);
  });

  it('takes the options of a server', async () => {
    const other = await startCluster({ runtimeConfig: ['batch/v1=false'] });
    try {
      expect((await other.fetch('/apis/batch/v1/jobs')).status).toBe(404);
    } finally {
      await other.stop();
    }
    await expect(startCluster({ securePort: -1 })).rejects.toThrow('--secure-port');
  });
});

describe('the log of a cluster for a test', () => {
  it('is kept instead of printed, and goes where it is wanted', async () => {
    const printed = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const lines: string[] = [];
    const cluster = await startCluster({
      enableAdmissionPlugins: ['ImagePolicyWebhook', 'Priority'],
      log: (line) => lines.push(line),
    });
    await cluster.stop();
    expect(printed).not.toHaveBeenCalled();
    printed.mockRestore();
    expect(cluster.log).toEqual(lines);
    const warnings = cluster.log.filter((line) => line.startsWith('W'));
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain(
      'admission plugins that were asked for do not exist in this version and have no effect" plugins="ImagePolicyWebhook"',
    );
  });
});
