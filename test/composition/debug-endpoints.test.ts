import { request } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { TemporaryDirectory } from '../../src/files/temporary-directory.ts';
import { startCluster, type TestCluster } from '../../src/testing/index.ts';

describe('debug endpoints', () => {
  let cluster: TestCluster | undefined;
  afterEach(() => cluster?.stop());
  const start = async (options: object = {}) => {
    cluster = await startCluster({ controllers: ['-*'], ...options });
    return cluster;
  };
  const anything = { headers: { accept: '*/*' } };

  it('serve profiles in the formats of V8, one at a time', async () => {
    const running = await start({ contentionProfiling: true });
    const cpu = running.fetch('/debug/pprof/profile?seconds=0.3');
    const second = await running.fetch('/debug/pprof/heap?seconds=0.1');
    expect([second.status, await second.text()]).toEqual([
      500,
      'Could not enable profiling: another profile is being taken\n',
    ]);
    const first = await cpu;
    expect(first.status).toBe(200);
    expect(JSON.parse(await first.text())).toMatchObject({
      nodes: expect.any(Array),
      startTime: expect.any(Number),
    });
    const heap = await running.fetch('/debug/pprof/heap?seconds=0.1');
    expect(JSON.parse(await heap.text())).toMatchObject({ head: expect.any(Object) });
    for (const seconds of ['0', '-1', '301', 'x'])
      expect((await running.fetch(`/debug/pprof/profile?seconds=${seconds}`)).status).toBe(400);
    expect(await (await running.fetch('/debug/pprof/block')).text()).toContain('p99 ');
    expect(await (await running.fetch('/debug/pprof/heap?debug=1')).text()).toContain('used_heap_size ');
    expect((await running.fetch('/debug/pprof/cmdline')).status).toBe(404);
    for (const name of ['', 'symbol', 'goroutine', 'cmdline'])
      expect((await running.fetch(`/debug/pprof/${name}`)).headers.get('x-content-type-options')).toBe(
        'nosniff',
      );
    expect((await running.fetch('/debug/pprof')).headers.get('location')).toBe('/debug/pprof/');
    expect(await (await running.fetch('/')).text()).not.toContain('/debug/');
  });

  it('change the verbosity of the log', async () => {
    const running = await start();
    const set = (body: string) => running.fetch('/debug/flags/v', { method: 'PUT', body, ...anything });
    const logged = () => running.log.filter((line) => line.includes('httplog'));
    await running.fetch('/api');
    expect(logged()).toEqual([]);
    expect(await (await set('3')).text()).toBe('successfully set klog.logging.verbosity to 3\n');
    await running.fetch('/api');
    expect(logged().length).toBeGreaterThan(0);
    expect((await set('many')).status).toBe(400);
    expect(await (await set('99999999999')).text()).toContain('value out of range');
    expect((await running.fetch('/debug/flags/v', anything)).status).toBe(406);
    expect(await (await running.fetch('/debug/flags', anything)).text()).toContain('<tr>v<br>');
  });

  it('are off with --profiling=false', async () => {
    const running = await start({ profiling: false });
    for (const path of ['/debug/pprof/', '/debug/flags/v', '/debug/pprof/profile'])
      expect([path, (await running.fetch(path, anything)).status]).toEqual([path, 404]);
  });

  it('include flagz and statusz behind their gates', async () => {
    const off = await start();
    expect((await off.fetch('/flagz', anything)).status).toBe(404);
    await off.stop();
    const running = await start({
      featureGates: ['ComponentFlagz=true', 'ComponentStatusz=true'],
      corsAllowedOrigins: ['^//a$', '^//b$'],
    });
    const flags = await (await running.fetch('/flagz', { headers: { accept: 'text/plain' } })).text();
    expect(flags).toMatch(
      /^\nkube-apiserver flags\nWarning: This endpoint is not meant .*\n\nadmission-control\W+\[\]\n/,
    );
    expect(flags).toMatch(/\ncors-allowed-origins(:|: |=| )\[\^\/\/a\$,\^\/\/b\$\]\n/);
    expect(flags).toMatch(/\nrequest-timeout(:|: |=| )1m0s\n/);
    const status = await (await running.fetch('/statusz', anything)).text();
    expect(status).toMatch(
      /^\nkube-apiserver statusz\nWarning: .*\n\nStarted\S* .*\nUp\S* +\d+ hr \d\d min \d\d sec\nGo version.*\nBinary version\S* +1\.32\.13\nEmulation version\S* +1\.32\n$/,
    );
    expect((await running.fetch('/flagz', { headers: { accept: 'application/json' } })).status).toBe(406);
    expect(await (await running.fetch('/')).text()).toContain('"/statusz"');
  });

  it('are on a Unix socket without authentication', async () => {
    const files = new TemporaryDirectory();
    try {
      await start({ debugSocketPath: files.path('debug.sock'), profiling: false });
      const get = (path: string, method = 'GET', body = '') =>
        new Promise<[number | undefined, string]>((resolve, reject) => {
          const sent = request({ socketPath: files.path('debug.sock'), path, method }, async (response) => {
            let text = '';
            for await (const chunk of response) text += chunk;
            resolve([response.statusCode, text]);
          });
          sent.on('error', reject);
          sent.end(body);
        });
      expect((await get('/debug/pprof/'))[0]).toBe(200);
      expect(await get('/debug/flags/v', 'PUT', '1')).toEqual([
        200,
        'successfully set klog.logging.verbosity to 1\n',
      ]);
      expect((await get('/api/v1/namespaces'))[0]).toBe(404);
    } finally {
      files.remove();
    }
  });
});

describe('shutdown', () => {
  it('tells new requests to go elsewhere while the server drains', async () => {
    const cluster = await startCluster({
      controllers: ['-*'],
      shutdownSendRetryAfter: true,
      shutdownWatchTerminationGracePeriod: 300,
    });
    const watch = await cluster.fetch('/api/v1/namespaces?watch=1');
    const stopping = cluster.stop();
    const { setTimeout } = await import('node:timers/promises');
    await setTimeout(100);
    const { Agent, request: send } = await import('node:https');
    const answer = await new Promise<{ status?: number; retryAfter?: string }>((resolve, reject) => {
      const agent = new Agent({ ca: cluster.caBundle });
      send(`${cluster.url}/api`, { agent }, (response) => {
        response.resume();
        resolve({ status: response.statusCode!, retryAfter: response.headers['retry-after']! });
      })
        .on('error', reject)
        .end();
    });
    expect(answer).toEqual({ status: 429, retryAfter: '5' });
    await watch.text();
    await stopping;
  });
});
