import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startCluster, type TestCluster } from '../../src/testing/index.ts';

interface Named {
  metadata: { name: string };
}

describe('test cluster', () => {
  it('stays in memory when an option is undefined', async () => {
    const dataDir = join(mkdtempSync(join(tmpdir(), 'binnacle-undefined-')), 'data');
    const own = await startCluster({ dataDir, storageBackend: undefined, securePort: undefined });
    await own.stop();
    expect(existsSync(dataDir)).toBe(false);
    rmSync(dirname(dataDir), { recursive: true });
  });
  let cluster: TestCluster;
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(() => cluster.stop());

  it('serves the administrator without a socket', async () => {
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

  it('uses the credentials of a request', async () => {
    expect(
      (await cluster.fetch('/api/v1/namespaces', { headers: { Authorization: 'Bearer unknown' } })).status,
    ).toBe(401);
  });

  it('streams a watch until it is aborted', async () => {
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

  it('is isolated from another cluster', async () => {
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

  it('accepts the options of a server', async () => {
    const other = await startCluster({ runtimeConfig: ['batch/v1=false'] });
    try {
      expect((await other.fetch('/apis/batch/v1/jobs')).status).toBe(404);
    } finally {
      await other.stop();
    }
    await expect(startCluster({ securePort: -1 })).rejects.toThrow('--secure-port');
  });
});

describe('log of a test cluster', () => {
  it('is retained instead of printed, and passed to the log function', async () => {
    const printed = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const lines: string[] = [];
    const cluster = await startCluster({
      deleteCollectionWorkers: 2,
      log: (line) => lines.push(line),
    });
    await cluster.stop();
    expect(printed).not.toHaveBeenCalled();
    printed.mockRestore();
    expect(cluster.log).toEqual(lines);
    const warnings = cluster.log.filter((line) => line.startsWith('W'));
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain('--delete-collection-workers');
  });
});

describe('test cluster that is not stopped', () => {
  const testing = fileURLToPath(new URL('../../src/testing/index.ts', import.meta.url));

  /** Runs a module in a separate process with its own temporary directory. */
  async function run(code: string): Promise<{ exitCode: number | null; output: string; left: string[] }> {
    const directory = mkdtempSync(join(tmpdir(), 'binnacle-forgotten-'));
    let child: ChildProcess | undefined;
    try {
      const file = join(directory, 'script.ts');
      writeFileSync(file, `import { startCluster } from ${JSON.stringify(testing)};\n${code}`);
      writeFileSync(join(directory, 'package.json'), '{"type":"module"}');
      const temporary = join(directory, 'temporary');
      mkdirSync(temporary);
      const tsx = fileURLToPath(new URL('../../node_modules/tsx/dist/loader.mjs', import.meta.url));
      child = spawn(process.execPath, ['--import', tsx, file], {
        env: { ...process.env, TMPDIR: temporary },
        stdio: ['ignore', 'pipe', 'pipe'],
        timeout: 60_000,
      });
      let output = '';
      const read = (chunk: Buffer) => {
        output += chunk.toString();
      };
      for (const stream of [child.stdout, child.stderr]) stream!.on('data', read);
      const exitCode = await new Promise<number | null>((resolve, reject) =>
        child!.on('close', resolve).on('error', reject),
      );
      return { exitCode, output, left: readdirSync(temporary).filter((name) => name.startsWith('binnacle')) };
    } finally {
      child?.kill('SIGKILL');
      rmSync(directory, { recursive: true });
    }
  }

  it('lets its process exit and leaves no files', async () => {
    const code = `
      import { existsSync } from 'node:fs';
      const cluster = await startCluster();
      const response = await cluster.fetch('/api/v1/namespaces/default');
      console.log(response.status, (await response.json()).kind, existsSync(cluster.kubeconfigFile));`;
    expect(await run(code)).toEqual({ exitCode: 0, output: '200 Namespace true\n', left: [] });
  });

  it('keeps the process alive while a response or watch event is awaited', async () => {
    const code = `
      const cluster = await startCluster({ storageBackend: 'embedded' });
      const watch = await cluster.fetch('/api/v1/namespaces/default/configmaps?watch=1');
      const reader = watch.body.getReader();
      const body = { metadata: { name: 'late' } };
      setImmediate(() => void cluster.fetch('/api/v1/namespaces/default/configmaps', { method: 'POST', body })).unref();
      for (let text = ''; !text.includes('late'); ) text = Buffer.from((await reader.read()).value).toString();
      console.log('seen');`;
    expect(await run(code)).toEqual({ exitCode: 0, output: 'seen\n', left: [] });
  });

  it('writes no file unless the path of its kubeconfig is read', async () => {
    const code = `
      import { readdirSync } from 'node:fs';
      import { tmpdir } from 'node:os';
      const cluster = await startCluster();
      console.log(readdirSync(tmpdir()).filter((name) => name.startsWith('binnacle')).length, cluster.kubeconfig.includes(cluster.url));`;
    expect(await run(code)).toEqual({ exitCode: 0, output: '0 true\n', left: [] });
  });
});
