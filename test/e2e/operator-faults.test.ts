import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FaultRule, startCluster, type TestCluster } from '../../src/testing/index.ts';
import { ROOT } from '../support/documents.ts';
import { watchUntil } from '../support/watch-until.ts';
import { WebhookServer } from '../support/webhook-server.ts';
import { until } from './support/until.ts';

const WEBSITES = '/apis/example.com/v1/namespaces/default/websites';
const MAPS = '/api/v1/namespaces/default/configmaps';
const ACCOUNTS = '/api/v1/namespaces/default/serviceaccounts';
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const BINDINGS = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings';
const WEBHOOKS = '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations';
const USER = 'system:serviceaccount:default:operator';

interface Website {
  readonly metadata: { readonly generation: number; readonly finalizers?: readonly string[] };
  readonly status?: {
    readonly pages: number;
    readonly conditions: readonly { observedGeneration: number }[];
  };
}

/** Faults of requests: each happens while the operator publishes a website, and again while it withdraws it. */
const OF_REQUESTS: readonly (FaultRule & { readonly count: number })[] = [
  ...([409, 429, 500, 503] as const).map((status) => ({ status, retryAfter: 1, count: 2 })),
  { delay: '100ms', count: 2 },
  { cut: 'before', count: 2 },
  { cut: 'after', count: 2 },
  { webhook: 'websites.example.com', count: 2 },
];

/** Faults of the informer, which happen when it lists and watches again. */
const OF_INFORMERS: readonly (FaultRule & { readonly count: number })[] = [
  ...([429, 500, 503] as const).map((status) => ({ verbs: ['list', 'watch'], status, count: 2 })),
  { verbs: ['list', 'watch'], cut: 'before', count: 1 },
  { verbs: ['list', 'watch'], cut: 'after', count: 1 },
  { endWatch: '20ms', count: 5 },
  { delayEvents: '100ms', count: 1 },
  { expire: true, count: 3 },
];

const title = (rule: FaultRule): string => JSON.stringify(rule);

describe('the example operator, whatever happens to its requests', () => {
  const directory = mkdtempSync(join(tmpdir(), 'binnacle-operator-'));
  const webhook = new WebhookServer(({ body }) => {
    const { uid } = body['request'] as { uid: string };
    return { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response: { uid, allowed: true } };
  });
  let template: TestCluster;
  let cluster: TestCluster;
  let operator: ChildProcess | undefined;
  let output = '';

  async function send<Answer>(
    to: TestCluster,
    method: string,
    path: string,
    body?: object | string,
  ): Promise<Answer> {
    const headers: Record<string, string> =
      typeof body === 'string' ? { 'content-type': 'application/yaml' } : {};
    const response = await to.fetch(path, { method, headers, ...(body !== undefined && { body }) });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return JSON.parse(text) as Answer;
  }

  beforeAll(async () => {
    await webhook.start();
    template = await startCluster();
    await send(
      template,
      'POST',
      DEFINITIONS,
      readFileSync(join(ROOT, 'examples/operator/websites.yaml'), 'utf8'),
    );
    await until(async () => (await template.fetch(WEBSITES)).ok, 'the definition to be served');
    await send(template, 'POST', ACCOUNTS, { metadata: { name: 'operator' } });
    await send(template, 'POST', BINDINGS, {
      metadata: { name: 'operator' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
      subjects: [{ kind: 'ServiceAccount', name: 'operator', namespace: 'default' }],
    });
    const rules = [
      { apiGroups: ['example.com'], apiVersions: ['v1'], resources: ['websites'], operations: ['*'] },
    ];
    const clientConfig = { url: webhook.url, caBundle: webhook.caBundle };
    const versions = { admissionReviewVersions: ['v1'], sideEffects: 'None' };
    const webhooks = [{ name: 'websites.example.com', clientConfig, rules, ...versions }];
    await send(template, 'POST', WEBHOOKS, { metadata: { name: 'websites' }, webhooks });
    await template.quiescent();
    cluster = await template.fork();
    await start();
  });
  afterAll(async () => {
    operator?.kill('SIGKILL');
    await template.stop();
    await webhook.stop();
    rmSync(directory, { recursive: true });
  });

  /** Starts the operator as a user of its own, so that faults happen to nobody else. */
  async function start(): Promise<void> {
    const { status } = await send<{ status: { token: string } }>(
      cluster,
      'POST',
      `${ACCOUNTS}/operator/token`,
      {},
    );
    const kubeconfig = join(directory, 'kubeconfig');
    const server = {
      server: cluster.url,
      'certificate-authority-data': Buffer.from(cluster.caBundle).toString('base64'),
    };
    writeFileSync(
      kubeconfig,
      JSON.stringify({
        'current-context': 'operator',
        clusters: [{ name: 'operator', cluster: server }],
        users: [{ name: 'operator', user: { token: status.token } }],
        contexts: [{ name: 'operator', context: { cluster: 'operator', user: 'operator' } }],
      }),
    );
    const program = join(ROOT, 'examples/operator/operator.ts');
    operator = spawn(process.execPath, ['--import', 'tsx', program, kubeconfig], {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [operator.stdout!, operator.stderr!])
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString();
      });
    await until(() => output.includes('watching websites'), 'the operator to start');
  }

  const injected = (): readonly number[] => cluster.faults.list().map((state) => state.injected);
  const add = (rule: FaultRule): void => {
    cluster.faults.clear();
    cluster.faults.add(rule.webhook === undefined ? { ...rule, users: [USER] } : rule);
  };

  /** Resolves when the operator has done what it has to do for the present state of a website. */
  async function published(name: string, pages: object): Promise<void> {
    const isDone = ({ metadata, status }: Website): boolean =>
      status?.pages === Object.keys(pages).length &&
      status.conditions[0]?.observedGeneration === metadata.generation &&
      metadata.finalizers?.length === 1;
    await watchUntil<Website>(cluster, `${WEBSITES}?fieldSelector=metadata.name=${name}`, isDone);
    expect((await send<{ data: object }>(cluster, 'GET', `${MAPS}/${name}`)).data).toEqual(pages);
  }

  async function create(name: string): Promise<void> {
    const pages = { 'index.html': name };
    const identity = { apiVersion: 'example.com/v1', kind: 'Website' };
    await send(cluster, 'POST', WEBSITES, { ...identity, metadata: { name }, spec: { pages } });
    await published(name, pages);
  }

  async function remove(name: string): Promise<void> {
    await send(cluster, 'DELETE', `${WEBSITES}/${name}`);
    for (const path of [`${WEBSITES}/${name}`, `${MAPS}/${name}`])
      await expect.poll(async () => (await cluster.fetch(path)).status).toBe(404);
  }

  it.each(OF_REQUESTS.map((rule) => [title(rule), rule] as const))('converges with %s', async (_, rule) => {
    // What the test itself does calls the webhook too.
    const skip = rule.webhook === undefined ? 0 : 1;
    add({ ...rule, skip });
    await create('blog');
    expect(injected()).toEqual([rule.count]);
    add({ ...rule, skip, count: 1 });
    await remove('blog');
    expect(injected()).toEqual([1]);
  });

  it.each(OF_INFORMERS.map((rule) => [title(rule), rule] as const))('converges with %s', async (_, rule) => {
    add({ ...rule, resources: ['websites.example.com'] });
    // Ends its watch with 410.
    await cluster.reset();
    await create('blog');
    await remove('blog');
    await expect.poll(injected).toEqual([rule.count]);
  });
});
