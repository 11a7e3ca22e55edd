// The admission chain alone with webhooks: without configuration, with webhooks whose rules or selectors don't
// match, and with one that answers over a kept connection, from a process of its own.
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { ADMISSION_MODULES, POD_KIND, PODS, podCreations } from '../support/admission.mjs';
import { importBundled } from '../support/bundle.mjs';
import { summary } from '../support/measure.mjs';

const ROUNDS = 5;
const REQUESTS = 20_000;
const CALLS = 2000;
const WEBHOOKS = 100;

const ENTRY = `
export { mutatingWebhooks } from './src/admission/webhook/mutating.ts';
export { validatingWebhooks } from './src/admission/webhook/validating.ts';
export { WebhookSet } from './src/admission/webhook/webhook-set.ts';
export { webhookMetrics } from './src/observability/metrics-admission.ts';
export { MetricsRegistry } from './src/observability/metrics.ts';
export { OutboundClient } from './src/outbound/outbound-client.ts';
export { processClock } from './src/time/clock.ts';
${ADMISSION_MODULES}`;

const rule = (resources) => ({ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources });
const webhook = (changes, url) => ({
  name: 'hook.example.test',
  admissionReviewVersions: ['v1'],
  sideEffects: 'None',
  timeoutSeconds: 10,
  matchPolicy: 'Equivalent',
  failurePolicy: 'Fail',
  clientConfig: { url },
  ...changes,
});
const many = (changes) =>
  Array.from({ length: WEBHOOKS }, (_, index) => ({
    metadata: { name: `c${index}`, resourceVersion: '1' },
    webhooks: [webhook(changes, 'https://127.0.0.1:1/')],
  }));
const elsewhere = { matchLabels: { 'kubernetes.io/metadata.name': 'elsewhere' } };

export default async function webhooks(table) {
  const loaded = await importBundled(ENTRY);
  const server = await startWebhook();
  const client = new loaded.OutboundClient();
  try {
    for (const [name, configurations, budget] of [
      ['no webhook', [], 1],
      [`${WEBHOOKS} webhooks, no rule matches`, many({ rules: [rule(['secrets'])] }), 2],
      [
        `${WEBHOOKS} webhooks, no selector matches`,
        many({ rules: [rule(['pods'])], namespaceSelector: elsewhere }),
        20,
      ],
    ]) {
      const { chain, attempt } = setUp(loaded, client, configurations);
      table.row(name, await measure(REQUESTS, attempt, (request) => chain.admit(request)), 'µs', budget);
    }
    const answering = [
      {
        metadata: { name: 'c', resourceVersion: '1' },
        webhooks: [webhook({ rules: [rule(['pods'])] }, server.url)],
      },
    ];
    const { chain, attempt } = setUp(loaded, client, answering);
    const cost = await measure(CALLS, attempt, (request) => chain.validate(request));
    table.row('one validating webhook, CPU', cost, 'µs', 250);
  } finally {
    client.close();
    server.stop();
  }
}

/** A chain with these configurations of both types, and requests for it. */
function setUp(loaded, client, configurations) {
  const lister = { generation: 1, list: () => configurations };
  const equivalents = {
    generation: 0,
    of: () => [{ resource: PODS, kind: POD_KIND }],
    versionsOf: () => ['v1'],
  };
  let uids = 0;
  const options = {
    set: new loaded.WebhookSet(lister, equivalents, { client, resolve: undefined, userAgent: 'bench' }),
    namespace: (name) => ({ metadata: { name, labels: { 'kubernetes.io/metadata.name': name } } }),
    authorizer: { name: 'a', authorize: () => ({ decision: 'allow', reason: '' }) },
    clock: loaded.processClock,
    uid: () => `uid-${++uids}`,
    metrics: loaded.webhookMetrics(new loaded.MetricsRegistry()),
    logFailure: console.error,
  };
  const chain = loaded.createAdmissionChain([
    loaded.mutatingWebhooks({ ...options }),
    loaded.validatingWebhooks({ ...options }),
  ]);
  return { chain, attempt: podCreations(loaded) };
}

async function measure(count, attempt, run) {
  const costs = [];
  for (let round = -1; round < ROUNDS; round += 1) {
    const requests = Array.from({ length: count }, attempt);
    const before = process.cpuUsage();
    for (const request of requests) {
      const pending = run(request);
      if (pending !== undefined) await pending;
    }
    const { user, system } = process.cpuUsage(before);
    if (round >= 0) costs.push((user + system) / count);
  }
  return summary(costs);
}

/** Starts a webhook that allows everything, without TLS. */
async function startWebhook() {
  const child = fork(fileURLToPath(new URL('../support/webhook.mjs', import.meta.url)));
  const port = await new Promise((resolve) => child.once('message', resolve));
  return { url: `http://127.0.0.1:${port}/`, stop: () => child.kill() };
}
