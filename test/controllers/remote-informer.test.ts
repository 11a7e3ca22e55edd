import { describe, expect, it } from 'vitest';
import { RemoteInformer } from '../../src/controllers/remote-informer.ts';
import { Client, type ControllerRequest, type ControllerResponse } from '../../src/reconcile/client.ts';
import { ManualClock, settle } from '../reconcile/manual-clock.ts';

const RESOURCE = { group: '', version: 'v1', resource: 'namespaces', kind: 'Namespace' };
const object = (name: string, resourceVersion: string) => ({ metadata: { name, resourceVersion } });

/** A server that returns `items` for lists and the test's events for watches. */
class ScriptedServer {
  readonly requests: string[] = [];
  items = [object('a', '1')];
  revision = '1';
  #watch: { push(line: string): void; end(): void } | undefined;

  readonly send = async ({ target, signal }: ControllerRequest): Promise<ControllerResponse> => {
    this.requests.push(target);
    if (!target.includes('watch=true'))
      return {
        status: 200,
        body: [
          Buffer.from(JSON.stringify({ items: this.items, metadata: { resourceVersion: this.revision } })),
        ] as never,
      };
    const stream = new TransformStream<Uint8Array, Uint8Array>();
    const writer = stream.writable.getWriter();
    signal?.addEventListener('abort', () => void writer.abort(new Error('aborted')).catch(() => undefined));
    this.#watch = { push: (line) => void writer.write(Buffer.from(line)), end: () => void writer.close() };
    return { status: 200, body: stream.readable as never };
  };

  async event(type: string, body: object): Promise<void> {
    const line = `${JSON.stringify({ type, object: body })}\n`;
    // Events may be split into chunks.
    this.#watch!.push(line.slice(0, 7));
    this.#watch!.push(line.slice(7));
    await settle();
  }

  async end(): Promise<void> {
    this.#watch!.end();
    await settle();
  }
}

async function started() {
  const server = new ScriptedServer();
  const clock = new ManualClock();
  const errors: string[] = [];
  const informer = new RemoteInformer({
    client: new Client(server.send, 'test/1'),
    resource: RESOURCE,
    clock,
    onError: (_resource, error) => errors.push((error as Error).message),
  });
  const changes: string[] = [];
  informer.onChange((key, now, before) =>
    changes.push(
      `${key} ${before?.metadata().resourceVersion ?? '-'}>${now?.metadata().resourceVersion ?? '-'}`,
    ),
  );
  informer.start();
  await informer.synced;
  await settle();
  return { server, clock, errors, informer, changes };
}

describe('RemoteInformer', () => {
  it('lists, then watches', async () => {
    const { server, informer, changes } = await started();
    await server.event('ADDED', object('b', '2'));
    await server.event('MODIFIED', object('a', '3'));
    await server.event('DELETED', object('b', '4'));
    expect(changes).toEqual(['a ->1', 'b ->2', 'a 1>3', 'b 2>-']);
    expect([...informer.entries()].map(([key]) => key)).toEqual(['a']);
    await informer.stop();
  });

  it('resumes an ended watch from the last event or bookmark', async () => {
    const { server, clock, informer, errors } = await started();
    await server.event('BOOKMARK', object('', '9'));
    await server.end();
    clock.advance(5);
    await settle();
    expect(server.requests.length).toBe(3);
    expect(server.requests[2]).toContain('resourceVersion=9');
    expect(errors).toEqual([]);
    await informer.stop();
  });

  it('lists again after 410 Gone and reports deletions', async () => {
    const { server, clock, informer, changes } = await started();
    server.items = [object('c', '20')];
    await server.event('ERROR', { kind: 'Status', code: 410, reason: 'Expired', message: 'too old' });
    clock.advance(5);
    await settle();
    expect(changes.slice(1)).toEqual(['c ->20', 'a 1>-']);
    await informer.stop();
  });

  it('stops immediately', async () => {
    const { server, informer, clock, errors } = await started();
    await informer.stop();
    clock.advance(60_000);
    await settle();
    expect(server.requests.length).toBe(2);
    expect(errors).toEqual([]);
  });

  it('lists in pages', async () => {
    const pages: Record<string, object> = {
      '': {
        items: [object('a', '1'), object('b', '1')],
        metadata: { resourceVersion: '5', continue: 'more' },
      },
      more: { items: [object('c', '2')], metadata: { resourceVersion: '5' } },
    };
    const server = new ScriptedServer();
    const lists: string[] = [];
    const send = (request: ControllerRequest): Promise<ControllerResponse> => {
      const query = new URL(request.target, 'https://server').searchParams;
      if (query.has('watch')) return server.send(request);
      lists.push(query.toString());
      return Promise.resolve({
        status: 200,
        body: [Buffer.from(JSON.stringify(pages[query.get('continue') ?? '']))] as never,
      });
    };
    const informer = new RemoteInformer({
      client: new Client(send, 'test/1'),
      resource: RESOURCE,
      clock: new ManualClock(),
      onError: () => undefined,
    });
    const changes: string[] = [];
    informer.onChange((key, now) => changes.push(`${now === undefined ? '-' : '+'}${key}`));
    informer.start();
    await informer.synced;
    await settle();
    expect(lists).toEqual(['limit=500', 'limit=500&continue=more']);
    expect(server.requests[0]).toContain('resourceVersion=5');
    expect(changes).toEqual(['+a', '+b', '+c']);
    await informer.stop();
  });
});
