// The admission chain alone: without configuration, with policies whose rules or selectors don't match, and
// with one policy that evaluates three expressions on a pod.
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { summary } from '../support/measure.mjs';

const ROUNDS = 5;
const REQUESTS = 20_000;
const POLICIES = 200;

const ENTRY = `
export { createAdmissionChain } from './src/admission/chain.ts';
export { validatingAdmissionPolicy } from './src/admission/policy/validating-plugin.ts';
export { AdmissionAttempt } from './src/operations/admission-request.ts';
export { singleKind } from './src/operations/admitted-kind.ts';
export { builtinSchema } from './src/registry/object-schema.ts';
`;

/** Bundles an entry file in this process. */
export async function library(entry) {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const directory = await mkdtemp(join(root, 'node_modules/.admission-'));
  try {
    const outfile = join(directory, 'admission.mjs');
    await build({
      stdin: { contents: entry, resolveDir: root, loader: 'ts' },
      outfile,
      bundle: true,
      format: 'esm',
      platform: 'node',
      packages: 'external',
    });
    return await import(pathToFileURL(outfile).href);
  } finally {
    await rm(directory, { recursive: true });
  }
}

export const POD = {
  metadata: {
    name: 'web-7d4b9c6f5-x2x9k',
    namespace: 'n',
    labels: { app: 'web', team: 'red', 'pod-template-hash': '7d4b9c6f5' },
    ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web-7d4b9c6f5', uid: 'u' }],
  },
  spec: {
    containers: ['web', 'proxy'].map((name) => ({
      name,
      image: `registry.example.com/${name}:1.2.3`,
      ports: [{ containerPort: 8080, protocol: 'TCP' }],
      resources: { limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '100m', memory: '128Mi' } },
      securityContext: { runAsNonRoot: true, allowPrivilegeEscalation: false },
      volumeMounts: [{ name: 'token', mountPath: '/var/run/secrets' }],
    })),
    serviceAccountName: 'default',
    volumes: [{ name: 'token', projected: { sources: [] } }],
  },
};
const EXPRESSIONS = [
  "object.metadata.labels['team'] in ['red', 'blue']",
  "object.spec.containers.all(c, c.image.startsWith('registry.example.com/'))",
  'object.spec.containers.all(c, has(c.securityContext) && c.securityContext.runAsNonRoot)',
];
const rule = (resources) => ({ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources });
const policy = (name, matchConstraints) => ({
  metadata: { name, uid: name, generation: 1 },
  spec: {
    matchConstraints: { matchPolicy: 'Equivalent', ...matchConstraints },
    validations: EXPRESSIONS.map((expression) => ({ expression })),
  },
});
const many = (constraints) =>
  Array.from({ length: POLICIES }, (_, index) => policy(`p${index}`, constraints));

export default async function admission(table) {
  const { createAdmissionChain, validatingAdmissionPolicy, AdmissionAttempt, singleKind, builtinSchema } =
    await library(ENTRY);
  const kind = { group: '', version: 'v1', kind: 'Pod' };
  const resource = { group: '', version: 'v1', resource: 'pods' };
  const admitted = singleKind(kind, builtinSchema('', 'v1', 'Pod'));
  const user = { name: 'u', uid: '', groups: [], extra: new Map() };
  const attempt = () =>
    new AdmissionAttempt({
      request: { user, deadline: Infinity, warnings: new Set(), annotations: new Map() },
      admitted,
      operation: 'CREATE',
      resource,
      subresource: '',
      namespace: 'n',
      name: POD.metadata.name,
      dryRun: false,
      object: POD,
      oldObject: undefined,
      options: { apiVersion: 'meta.k8s.io/v1', kind: 'CreateOptions' },
    });

  for (const [name, policies, budget] of [
    ['no policy', [], 1],
    [`${POLICIES} policies, no rule matches`, many({ resourceRules: [rule(['secrets'])] }), 2],
    [
      `${POLICIES} policies, no selector matches`,
      many({ resourceRules: [rule(['pods'])], objectSelector: { matchLabels: { app: 'other' } } }),
      20,
    ],
    ['one policy of three expressions', [policy('p', { resourceRules: [rule(['pods'])] })], 60],
  ]) {
    const plugin = validatingAdmissionPolicy({
      observer: { decided: () => undefined },
      namespace: () => ({ metadata: { name: 'n' } }),
      parameters: { find: () => undefined },
      authorizer: { name: 'a', authorize: () => ({ decision: 'allow', reason: '' }) },
      equivalents: { generation: 0, of: () => [{ resource, kind }], versionsOf: () => ['v1'] },
      logger: { error: console.error },
      objects: {
        policies: () => policies,
        bindings: () =>
          policies.map(({ metadata }) => ({
            metadata,
            spec: { policyName: metadata.name, validationActions: ['Deny'] },
          })),
        follow: async () => () => undefined,
      },
    });
    await plugin.start();
    const chain = createAdmissionChain([plugin]);
    const costs = [];
    for (let round = -1; round < ROUNDS; round += 1) {
      const requests = Array.from({ length: REQUESTS }, attempt);
      const before = process.cpuUsage();
      for (const request of requests) {
        if (chain.handles('CREATE', '', 'pods', '')) chain.validate(request);
      }
      const { user: own, system } = process.cpuUsage(before);
      if (round >= 0) costs.push((own + system) / REQUESTS);
    }
    plugin.stop();
    table.row(name, summary(costs), 'µs', budget);
  }
}
