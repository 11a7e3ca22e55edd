import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TemporaryDirectory } from '../../src/files/temporary-directory.ts';
import type { Span } from '../../src/observability/span.ts';
import { directDialer } from '../../src/outbound/dialer.ts';
import { Collector, ExportError, parseTarget } from '../../src/tracing/collector.ts';
import { Tracer, type TracerOptions } from '../../src/tracing/tracer.ts';
import { closedPort } from '../outbound/servers.ts';
import { CollectorServer } from './collector-server.ts';

const NO_ATTRIBUTES = () => ({});

describe('parseTarget', () => {
  it.each([
    ['localhost:4317', { host: 'localhost', port: 4317 }],
    ['dns://collector:4317', { host: 'collector', port: 4317 }],
    ['dns:///collector:4317', { host: 'collector', port: 4317 }],
    ['dns://8.8.8.8/collector:4317', { host: 'collector', port: 4317 }],
    ['DNS:///collector:4317', { host: 'collector', port: 4317 }],
    ['dns:collector', { host: 'collector', port: 443 }],
    ['[::1]:4317', { host: '::1', port: 4317 }],
    ['unix:///run/otel.sock', { path: '/run/otel.sock' }],
    ['unix:otel.sock', { path: 'otel.sock' }],
    ['unix-abstract:otel', { path: '\0otel' }],
  ])('%s', (endpoint, address) => {
    expect(parseTarget(endpoint)).toEqual(address);
  });
});

describe('Tracer', () => {
  let server: CollectorServer;
  let timers: (() => void)[];
  let failures: string[];
  let drops: number;
  let tracers: Tracer[];
  beforeEach(async () => {
    server = await new CollectorServer().listen();
    timers = [];
    failures = [];
    tracers = [];
    drops = 0;
  });
  afterEach(async () => {
    for (const tracer of tracers) await tracer.close(0);
    await server.close();
  });

  const create = (changes: Partial<TracerOptions> = {}) => {
    const tracer = new Tracer({
      collector: new Collector(`127.0.0.1:${server.port}`, directDialer),
      samplingRatePerMillion: 1_000_000,
      service: { name: 'apiserver', instance: 'a', scope: 'test' },
      clock: {
        after(_, callback) {
          timers.push(callback);
          return () => {
            timers = timers.filter((timer) => timer !== callback);
          };
        },
      },
      origin: 1_700_000_000_000,
      onFailure: (error) => failures.push(error.message),
      onDrop: () => {
        drops += 1;
      },
      ...changes,
    });
    tracers.push(tracer);
    return tracer;
  };
  const fire = () => {
    for (const timer of timers.splice(0)) timer();
  };
  const begin = (tracer: Tracer, parent?: string) => tracer.begin('GET /x', parent, NO_ATTRIBUTES) as Span;

  it('exports finished spans with their parents, attributes, events and the link to the caller', async () => {
    const tracer = create();
    const parent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00';
    const root = tracer.begin('GET /x', parent, () => ({
      'http.status_code': 200,
      text: 'ü',
      yes: true,
      half: 0.5,
    }))!;
    const child = root.child('Get');
    child.event('half way');
    child.child('etcdserverpb.KV/Range', 'client').finish();
    child.finish();
    root.child('never finished');
    tracer.finish(root);
    expect(server.requests).toBe(0);
    fire();
    await vi.waitFor(() => expect(server.spans).toHaveLength(3));
    const [first, second, third] = server.spans;
    expect(first).toMatchObject({
      service: 'apiserver',
      name: 'GET /x',
      kind: 2,
      parentId: '',
      links: ['0af7651916cd43dd8448eb211c80319c'],
      attributes: { 'http.status_code': 200, text: 'ü', yes: true, half: 0.5 },
    });
    expect(second).toMatchObject({
      name: 'Get',
      kind: 1,
      parentId: first!.id,
      events: ['half way'],
      links: [],
    });
    expect(third).toMatchObject({ name: 'etcdserverpb.KV/Range', kind: 3, parentId: second!.id });
    expect(new Set(server.spans.map(({ traceId }) => traceId)).size).toBe(1);
    expect(first!.traceId).not.toBe('0af7651916cd43dd8448eb211c80319c');
    expect(first!.start).toBeGreaterThan(1_700_000_000_000_000_000n);
    expect(first!.start).toBeLessThanOrEqual(second!.start);
    expect(second!.end).toBeLessThanOrEqual(first!.end);
    expect(child.traceparent).toBe(`00-${first!.traceId}-${second!.id}-01`);
  });

  it.each([
    undefined,
    '',
    'nonsense',
    '00-00000000000000000000000000000000-b7ad6b7169203331-01',
    '00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01',
    'ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    '00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01',
  ])('does not link to the invalid traceparent %j', (parent) => {
    expect(begin(create(), parent).trace?.link).toBeUndefined();
  });

  it('samples a share of the requests, whatever their callers say', () => {
    const parent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    expect(create({ samplingRatePerMillion: 0 }).begin('x', parent, NO_ATTRIBUTES)).toBeUndefined();
    const half = create({ samplingRatePerMillion: 500_000 });
    const sampled = Array.from({ length: 1000 }, () => begin(half)).filter((span) => span !== undefined);
    expect(sampled.length).toBeGreaterThan(350);
    expect(sampled.length).toBeLessThan(650);
  });

  it('repeats an export whose failure may pass, and gives up on others', async () => {
    const tracer = create();
    server.status = 14;
    tracer.finish(begin(tracer));
    fire();
    await vi.waitFor(() => expect(timers).toHaveLength(1));
    expect(failures).toEqual(['refused']);
    server.status = 0;
    fire();
    await vi.waitFor(() => expect(server.spans).toHaveLength(1));
    server.status = 3;
    tracer.finish(begin(tracer));
    await vi.waitFor(() => {
      // The export before may not have ended when the collector has its spans: the next one is timed again.
      fire();
      expect(failures).toHaveLength(2);
    });
    await vi.waitFor(() => expect(timers).toEqual([]));
    expect(server.requests).toBe(3);
  });

  it('bounds the waiting spans while the collector is away', async () => {
    const port = await closedPort();
    const tracer = create({ collector: new Collector(`127.0.0.1:${port}`, directDialer) });
    for (let count = 0; count < 3000; count += 1) tracer.finish(begin(tracer));
    expect(drops).toBe(3000 - 2048);
    await vi.waitFor(() => expect(failures).toHaveLength(1));
    expect(failures[0]).toContain('ECONNREFUSED');
  });

  it('exports what is left when it is closed', async () => {
    const tracer = create();
    tracer.finish(begin(tracer));
    await tracer.close(5000);
    expect(server.spans).toHaveLength(1);
  });

  it('names an IPv6 collector with brackets', async () => {
    await server.close();
    server = await new CollectorServer().listen(0, '::1');
    const collector = new Collector(`[::1]:${server.port}`, directDialer);
    await collector.send(Buffer.alloc(0), 5000);
    collector.close();
    expect(server.authority).toBe(`[::1]:${server.port}`);
  });

  it('gives up at its deadline while it connects, and when the collector does not answer', async () => {
    const connecting = new Collector('collector.example:4317', () => new Promise(() => undefined));
    await expect(connecting.send(Buffer.alloc(0), 1)).rejects.toMatchObject({
      message: 'deadline exceeded',
      isTransient: true,
    });
    connecting.close();
    const collector = new Collector(`127.0.0.1:${server.port}`, directDialer);
    await collector.send(Buffer.alloc(0), 5000);
    server.silent = true;
    await expect(collector.send(Buffer.alloc(0), 1)).rejects.toMatchObject({ message: 'deadline exceeded' });
    collector.close();
  });

  it('reaches a collector by a Unix socket, and connects again when the connection is lost', async () => {
    const files = new TemporaryDirectory();
    let local = await new CollectorServer().listen(files.path('otel.sock'));
    const collector = new Collector(`unix://${files.path('otel.sock')}`, directDialer);
    try {
      await collector.send(Buffer.alloc(0), 5000);
      await local.close();
      await expect(collector.send(Buffer.alloc(0), 5000)).rejects.toMatchObject({ isTransient: true });
      local = await new CollectorServer().listen(files.path('otel.sock'));
      await collector.send(Buffer.alloc(0), 5000);
      expect(local.requests).toBe(1);
      local.status = 12;
      await expect(collector.send(Buffer.alloc(0), 5000)).rejects.toBeInstanceOf(ExportError);
    } finally {
      collector.close();
      await local.close();
      files.remove();
    }
  });
});
