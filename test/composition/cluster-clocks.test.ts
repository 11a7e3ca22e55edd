import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type RunningServer, startClusterAt } from '../../src/server.ts';
import { type InProcessFetch, inProcessFetch } from '../../src/testing/fetch.ts';
import { AdjustableClock } from '../../src/time/adjustable-clock.ts';
import { processClock } from '../../src/time/clock.ts';
import { type WebhookAnswer, type WebhookCall, WebhookServer } from '../support/webhook-server.ts';

const NEXT_DECADE = Date.parse('2030-01-01T00:00:00Z');
const HOUR = 3600_000;
const MAPS = '/api/v1/namespaces/default/configmaps';
const EVENTS = '/api/v1/namespaces/default/events';
const ACCOUNTS = '/api/v1/namespaces/default/serviceaccounts';

interface Answer {
  readonly metadata: { readonly creationTimestamp: string; readonly deletionTimestamp?: string };
  readonly status: { readonly token: string; readonly expirationTimestamp: string };
  readonly spec: { readonly renewTime: string };
  readonly items: readonly { readonly spec: { readonly renewTime: string } }[];
}

/** A cluster in memory. */
interface Cluster {
  readonly clock: AdjustableClock;
  readonly server: RunningServer;
  readonly fetch: InProcessFetch;
}

async function start(clock: AdjustableClock): Promise<Cluster> {
  const server = await startClusterAt(
    clock,
    { storageBackend: 'memory', securePort: 0, controllers: ['*', 'token-cleaner-controller'] },
    { log: () => undefined },
  );
  const [, certificate] = /client-certificate-data: (\S+)/.exec(server.kubeconfig)!;
  const pem = Buffer.from(certificate!, 'base64').toString();
  return { clock, server, fetch: inProcessFetch(server.handle, pem) };
}

const send = async ({ fetch }: Cluster, method: string, target: string, body: object): Promise<Answer> => {
  const response = await fetch(target, { method, body });
  const text = await response.text();
  expect([200, 201, 202], text).toContain(response.status);
  return JSON.parse(text) as Answer;
};

const read = async ({ fetch }: Cluster, target: string): Promise<Answer> =>
  (await (await fetch(target)).json()) as Answer;

const statusOf = async ({ fetch }: Cluster, target: string, token?: string): Promise<number> =>
  (await fetch(target, token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } })).status;

const yearOf = (time: string): number => new Date(time).getUTCFullYear();

/** The year in which the test runs. */
const PRESENT_YEAR = new Date().getUTCFullYear();

const eventNamed = (name: string) => ({
  metadata: { name },
  involvedObject: { kind: 'ConfigMap', namespace: 'default', name: 'a' },
});

const tokenOf = (cluster: Cluster, seconds: number) =>
  send(cluster, 'POST', `${ACCOUNTS}/default/token`, { spec: { expirationSeconds: seconds } });

describe('two clusters of one process', () => {
  let present: Cluster;
  let later: Cluster;

  beforeEach(async () => {
    const clock = new AdjustableClock(processClock);
    await clock.set(NEXT_DECADE);
    [present, later] = await Promise.all([start(new AdjustableClock(processClock)), start(clock)]);
  });
  afterEach(async () => {
    await Promise.all([present.server.stop(), later.server.stop()]);
  });

  const inBoth = async (ask: (cluster: Cluster) => Promise<string>): Promise<number[]> =>
    (await Promise.all([present, later].map(ask))).map(yearOf);

  it('have their own times in objects', async () => {
    const body = { metadata: { name: 'a', finalizers: ['example.com/stay'] } };
    const years = [PRESENT_YEAR, 2030];
    expect(
      await inBoth(async (cluster) => (await send(cluster, 'POST', MAPS, body)).metadata.creationTimestamp),
    ).toEqual(years);
    expect(
      await inBoth(
        async (cluster) => (await send(cluster, 'DELETE', `${MAPS}/a`, {})).metadata.deletionTimestamp!,
      ),
    ).toEqual(years);
    const namespace = '/api/v1/namespaces/kube-system';
    expect(
      await inBoth(async (cluster) => (await read(cluster, namespace)).metadata.creationTimestamp),
    ).toEqual(years);
    const leases = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases';
    expect(await inBoth(async (cluster) => (await read(cluster, leases)).items[0]!.spec.renewTime)).toEqual(
      years,
    );
  });

  it('show ages by their own times', async () => {
    await send(later, 'POST', MAPS, { metadata: { name: 'a' } });
    later.clock.freeze();
    await later.clock.advance(3 * HOUR);
    const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io';
    const table = await later.fetch(`${MAPS}/a`, { headers: { accept } });
    const { rows } = (await table.json()) as { rows: { cells: unknown[] }[] };
    expect(rows[0]!.cells.at(-1)).toBe('3h');
  });

  it('let their own tokens expire, also those that were used just before', async () => {
    for (const cluster of [present, later])
      await vi.waitFor(async () => expect(await statusOf(cluster, `${ACCOUNTS}/default`)).toBe(200));
    const { status } = await tokenOf(later, 3600);
    expect(yearOf(status.expirationTimestamp)).toBe(2030);
    // The account may not read it.
    expect(await statusOf(later, MAPS, status.token)).toBe(403);
    await later.clock.advance(HOUR - 60_000);
    expect(await statusOf(later, MAPS, status.token)).toBe(403);
    // Another minute is allowed for the clocks of other servers.
    await later.clock.advance(121_000);
    expect(await statusOf(later, MAPS, status.token)).toBe(401);

    const other = await tokenOf(present, 3600);
    expect(yearOf(other.status.expirationTimestamp)).toBe(new Date(Date.now() + HOUR).getUTCFullYear());
    expect(await statusOf(present, MAPS, other.status.token)).toBe(403);
  });

  it('let their own Events expire', async () => {
    for (const cluster of [present, later]) await send(cluster, 'POST', EVENTS, eventNamed('a'));
    later.clock.freeze();
    await later.clock.advance(HOUR - 60_000);
    expect(await statusOf(later, `${EVENTS}/a`)).toBe(200);
    await later.clock.advance(120_000);
    await vi.waitFor(async () => expect(await statusOf(later, `${EVENTS}/a`)).toBe(404));
    expect(await statusOf(present, `${EVENTS}/a`)).toBe(200);
  });

  it('remove bootstrap tokens by their own times', async () => {
    const secrets = '/api/v1/namespaces/kube-system/secrets';
    const secret = {
      metadata: { name: 'bootstrap-token-abcdef' },
      type: 'bootstrap.kubernetes.io/token',
      stringData: {
        'token-id': 'abcdef',
        'token-secret': '0123456789abcdef',
        expiration: '2030-01-02T00:00:00Z',
      },
    };
    for (const cluster of [present, later]) await send(cluster, 'POST', secrets, secret);
    await later.clock.advance(48 * HOUR);
    const path = `${secrets}/bootstrap-token-abcdef`;
    await vi.waitFor(async () => expect(await statusOf(later, path)).toBe(404), { timeout: 10_000 });
    expect(await statusOf(present, path)).toBe(200);
  });
});

describe('a cluster whose clock is frozen', () => {
  let cluster: Cluster;
  let webhook: WebhookServer;
  let answer: (call: WebhookCall) => WebhookAnswer;

  beforeEach(async () => {
    cluster = await start(new AdjustableClock(processClock));
    webhook = await new WebhookServer((call) => answer(call)).start();
  });
  afterEach(async () => {
    await cluster.server.stop();
    await webhook.stop();
  });

  const register = (resource: string, operation: string) =>
    send(cluster, 'POST', '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations', {
      metadata: { name: 'w' },
      webhooks: [
        {
          name: 'w.example.com',
          clientConfig: { url: `${webhook.url}/w`, caBundle: webhook.caBundle },
          rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: [operation], resources: [resource] }],
          admissionReviewVersions: ['v1'],
          sideEffects: 'None',
          timeoutSeconds: 30,
        },
      ],
    });

  const review = ({ body }: WebhookCall, response: object): WebhookAnswer => ({
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    response: { uid: (body['request'] as { uid: string }).uid, ...response },
  });

  it('retries what a controller could not write because of a conflict', async () => {
    const conflict = { allowed: false, status: { code: 409, reason: 'Conflict', message: 'try again' } };
    answer = (call) => review(call, webhook.calls.length <= 2 ? conflict : { allowed: true });
    await send(cluster, 'POST', '/api/v1/namespaces', { metadata: { name: 'n' } });
    await register('namespaces/finalize', 'UPDATE');
    cluster.clock.freeze();
    const { metadata } = await send(cluster, 'DELETE', '/api/v1/namespaces/n', {});
    expect(metadata.deletionTimestamp).toBeDefined();
    await vi.waitFor(async () => expect(await statusOf(cluster, '/api/v1/namespaces/n')).toBe(404), {
      timeout: 10_000,
    });
    expect(webhook.calls).toHaveLength(3);
  });

  it('ends a request at its deadline', async () => {
    answer = () => 'hang';
    // No controller creates one.
    await register('limitranges', 'CREATE');
    cluster.clock.freeze();
    const before = cluster.clock.now();
    const body = { metadata: { name: 'a' } };
    const target = '/api/v1/namespaces/default/limitranges?timeout=300ms';
    const response = await cluster.fetch(target, { method: 'POST', body });
    expect(response.status).toBe(504);
    expect(cluster.clock.now()).toBe(before);
  });
});
