// The admission chain alone: without configuration, with policies whose rules or selectors don't match, and
// with one policy that evaluates three expressions on a pod.
import { ADMISSION_MODULES, POD_KIND, PODS, podCreations } from '../support/admission.mjs';
import { importBundled } from '../support/bundle.mjs';
import { summary } from '../support/measure.mjs';

const ROUNDS = 5;
const REQUESTS = 20_000;
const POLICIES = 200;

const ENTRY = `
export { validatingAdmissionPolicy } from './src/admission/policy/validating-plugin.ts';
${ADMISSION_MODULES}`;

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
  const loaded = await importBundled(ENTRY);
  const { createAdmissionChain, validatingAdmissionPolicy } = loaded;
  const attempt = podCreations(loaded);

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
      equivalents: {
        generation: 0,
        of: () => [{ resource: PODS, kind: POD_KIND }],
        versionsOf: () => ['v1'],
      },
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
