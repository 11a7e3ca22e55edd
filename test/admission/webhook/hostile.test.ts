import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startCluster, type TestCluster } from '../../../src/testing/index.ts';
import { closedPort, Servers } from '../../outbound/servers.ts';
import { answer, configurations, configure, create, outcome, patching, webhook } from './support.ts';

const chunk = Buffer.alloc(1 << 20, 0x20);

/** Sends a body without end. */
function flood(outgoing: ServerResponse): void {
  const write = () => {
    while (!outgoing.destroyed && outgoing.write(chunk));
    if (!outgoing.destroyed) outgoing.once('drain', write);
  };
  write();
}

type Handle = (incoming: IncomingMessage, outgoing: ServerResponse) => unknown;

/** Webhooks that answer over TLS, and the text of their failure. */
const ANSWERING: [what: string, handle: Handle, text: string][] = [
  ['hangs', () => undefined, 'context deadline exceeded'],
  ['closes the connection', (incoming) => incoming.socket.destroy(), 'EOF'],
  [
    'redirects',
    (_incoming, outgoing) => outgoing.writeHead(302, { location: 'https://127.0.0.1:1/x' }).end(),
    'the server responded with the status code 302',
  ],
  ['answers without end', (_incoming, outgoing) => flood(outgoing), 'the response is longer than'],
  [
    'answers with another uid',
    (incoming, outgoing) => answer(incoming, outgoing, () => ({ uid: 'other' })),
    'received invalid webhook response: expected response.uid=',
  ],
  ['answers with text', (_incoming, outgoing) => outgoing.end('no'), 'json parse error'],
  [
    'answers with an error',
    (_incoming, outgoing) => outgoing.writeHead(500).end('ill'),
    '\\"ill\\"'.replaceAll('\\', ''),
  ],
  ['answers nothing', (_incoming, outgoing) => outgoing.end(), '0-length response'],
];

describe.each(['Validating', 'Mutating'] as const)('a %s webhook that', (type) => {
  let cluster: TestCluster;
  let servers: Servers;
  beforeAll(async () => {
    cluster = await startCluster({ controllers: ['-*'] });
  });
  afterAll(() => cluster.stop());
  beforeEach(() => {
    servers = new Servers();
  });
  afterEach(async () => {
    await cluster.fetch(configurations(type), { method: 'DELETE' });
    await servers.close();
  });

  /** The answers to a request under both failure policies. */
  const answers = async (port: number) => {
    await configure(cluster, type, 'closed', webhook(port, { timeoutSeconds: 1 }));
    const closed = await outcome(create(cluster, 'x', '?dryRun=All'));
    await cluster.fetch(configurations(type), { method: 'DELETE' });
    await configure(cluster, type, 'open', webhook(port, { timeoutSeconds: 1, failurePolicy: 'Ignore' }));
    const [open] = await outcome(create(cluster, 'x', '?dryRun=All'));
    return { closed, open };
  };
  const expectFailure = ({ closed, open }: Awaited<ReturnType<typeof answers>>, text: string) => {
    expect(closed[0]).toBe(500);
    expect(closed[1]).toContain('Internal error occurred: failed calling webhook "hook.example.test": ');
    expect(closed[1]).toContain(text);
    expect(open).toBe(201);
  };

  it.each(ANSWERING)('%s fails by its policy', async (_what, handle, text) => {
    const port = await servers.https((incoming, outgoing) => void handle(incoming, outgoing));
    expectFailure(await answers(port), text);
  });

  it('stops in the TLS handshake fails by its policy', async () => {
    const port = await servers.tcp((socket) =>
      socket.once('data', () => socket.write(Buffer.from([0x16, 3, 3]))),
    );
    expectFailure(await answers(port), 'context deadline exceeded');
  });

  it('does not listen fails by its policy', async () => {
    expectFailure(await answers(await closedPort()), 'connect: connection refused');
  });

  it('hangs does not hold other requests', async () => {
    let asked: () => void = () => undefined;
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const port = await servers.https(() => asked());
    await configure(cluster, type, 'closed', webhook(port, { timeoutSeconds: 30 }));
    const held = create(cluster, 'held', '?dryRun=All&timeout=1s');
    await isAsked;
    const secret = await cluster.fetch('/api/v1/namespaces/default/secrets?dryRun=All', {
      method: 'POST',
      body: { metadata: { name: 's' } },
    });
    expect(secret.status).toBe(201);
    // The deadline of the request ends the call, whatever the time-out of the webhook.
    expect((await held).status).toBe(504);
  });
});

describe('a patch that', () => {
  let cluster: TestCluster;
  let servers: Servers;
  let operations: unknown;
  beforeAll(async () => {
    cluster = await startCluster({ controllers: ['-*'] });
    servers = new Servers();
    const port = await servers.https((incoming, outgoing) => {
      void answer(incoming, outgoing, () => ({
        ...patching(),
        patch: Buffer.from(JSON.stringify(operations)).toString('base64'),
      }));
    });
    await configure(cluster, 'Mutating', 'patching', webhook(port));
  });
  afterAll(async () => {
    await cluster.stop();
    await servers.close();
  });

  it.each([
    ['breaks a type', [{ op: 'replace', path: '/data', value: 'text' }], 'json: cannot unmarshal string'],
    [
      'changes the kind',
      [{ op: 'replace', path: '/kind', value: 'Secret' }],
      'no kind "Secret" is registered',
    ],
    [
      'tests what is not so',
      [{ op: 'test', path: '/kind', value: 'x' }],
      'testing value /kind failed: test failed',
    ],
    ['removes what is absent', [{ op: 'remove', path: '/x' }], "error in remove for path: '/x'"],
    ['has an unknown operation', [{ op: 'turn', path: '/x' }], 'Unexpected kind: turn'],
    ['has a number as operation', [{ op: 5, path: '/x' }], 'Unexpected kind: unknown'],
    ['has null as operation', [null], 'Unexpected kind: unknown'],
    ['has a text as operation', ['x'], 'cannot unmarshal string into Go value of type jsonpatch.Operation'],
    [
      'has a number as path',
      [{ op: 'add', path: 5, value: 'y' }],
      'add operation failed to decode path: missing value',
    ],
    [
      'copies from nowhere',
      [{ op: 'copy', path: '/data/x' }],
      'copy operation failed to decode from: operation, missing from field: missing value',
    ],
    [
      'moves an object into itself',
      [{ op: 'move', from: '/data', path: '/data/x' }],
      'move operation does not apply: doc is missing destination path: /data/x: missing value',
    ],
    [
      'tests below what is absent',
      [{ op: 'test', path: '/absent/x', value: 1 }],
      'test operation does not apply: is missing path: /absent/x: missing value',
    ],
    ['is no list', { op: 'add' }, 'cannot unmarshal object into Go value of type jsonpatch.Patch'],
    ['has too many operations', Array(10_001).fill({ op: 'test', path: '/kind' }), 'has 10001 operations'],
    ['grows without end', doubling(24), 'the accumulated size increase of copy is'],
    ['sets a version', [{ op: 'add', path: '/metadata/resourceVersion', value: '7' }], 'should not be set'],
  ])('%s is an error', async (_what, patch, text) => {
    operations = patch;
    const [status, message] = await outcome(create(cluster, 'x'));
    expect([status, message]).toEqual([500, expect.stringContaining(text)]);
  });

  it('makes an invalid object is reported as if the client had sent it', async () => {
    operations = [{ op: 'add', path: '/data/not ok', value: 'x' }];
    expect(await outcome(create(cluster, 'x'))).toEqual([422, expect.stringContaining('data[not ok]')]);
    operations = [{ op: 'replace', path: '/metadata/namespace', value: 'kube-system' }];
    expect((await outcome(create(cluster, 'x')))[0]).toBe(400);
  });

  it('names __proto__ changes only the object', async () => {
    operations = [{ op: 'add', path: '/data/__proto__', value: 'own' }];
    const created = await create(cluster, 'proto', '?dryRun=All');
    expect(created.status).toBe(201);
    expect(JSON.stringify(((await created.json()) as { data: object }).data)).toContain('"__proto__":"own"');
    expect(({} as { own?: unknown }).own).toBeUndefined();
  });

  it('breaks managedFields does not change the owners of fields', async () => {
    operations = [{ op: 'replace', path: '/metadata/managedFields', value: [{}] }];
    const created = await create(cluster, 'x', '?dryRun=All&fieldManager=me');
    expect(created.headers.get('warning')).toContain('.metadata.managedFields was in an invalid state');
    const { metadata } = (await created.json()) as { metadata: { managedFields: { manager: string }[] } };
    expect(metadata.managedFields.map(({ manager }) => manager)).toEqual(['me']);
  });
});

/** Copies a value into itself: each operation doubles it. */
function doubling(times: number): object[] {
  const big = { op: 'add', path: '/data', value: { a: 'x'.repeat(1024) } };
  return [
    big,
    ...Array.from({ length: times }, (_, at) => ({ op: 'copy', from: '/data', path: `/data/${at}` })),
  ];
}
