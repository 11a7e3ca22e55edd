const POLICIES = '/apis/admissionregistration.k8s.io/v1';
const ns = 'c-refused-names';
const maps = `/api/v1/namespaces/${ns}/configmaps`;
const pods = `/api/v1/namespaces/${ns}/pods`;
const expression =
  "!(oldObject == null && object.metadata.name == 'x' || false && '<' < '>') && oldObject == null";

const pod = (name, names, nodeName) => ({
  method: 'POST',
  path: pods,
  body: {
    metadata: { name },
    spec: {
      nodeName,
      containers: names.map((container) => ({ name: container, image: 'i' })),
      initContainers: [{ name: 'first', image: 'i' }],
    },
  },
});

export default {
  title:
    'The name in a refusal of a collection; markup in annotations; connections to pods with bad containers and nodes',
  profile: 'admission-audit',
  namespace: true,
  setup: [
    { method: 'POST', path: maps, body: { metadata: { name: 'kept' } } },
    pod('one', ['c'], 'absent-node'),
    pod('two', ['c', 'd'], 'absent-node'),
    pod('unbound', ['c', 'd']),
    {
      method: 'POST',
      path: `${POLICIES}/validatingadmissionpolicies`,
      body: {
        metadata: { name: `${ns}.example.com` },
        spec: {
          matchConstraints: {
            namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': ns } },
            resourceRules: [
              {
                apiGroups: [''],
                apiVersions: ['v1'],
                operations: ['CREATE', 'DELETE'],
                resources: ['configmaps'],
              },
            ],
          },
          validations: [{ expression }],
        },
      },
    },
    {
      method: 'POST',
      path: `${POLICIES}/validatingadmissionpolicybindings`,
      body: {
        metadata: { name: ns },
        spec: { policyName: `${ns}.example.com`, validationActions: ['Deny', 'Audit'] },
      },
    },
  ],
  steps: [
    {
      name: 'wait until the policy is in force',
      run: async (ctx) =>
        (
          await ctx.poll(
            { method: 'POST', path: `${maps}?dryRun=All`, body: { metadata: { name: 'x' } } },
            ({ status }) => status === 422,
          )
        ).status,
    },
    { name: 'a collection', method: 'DELETE', path: maps, headers: { 'audit-id': 'refused-collection' } },
    {
      name: 'the audit annotation',
      run: async (ctx) => {
        const { body } = await ctx.poll({ path: '/version' }, async () =>
          (await ctx.environment.prepared.audited(maps)).some(
            ({ auditID }) => auditID === 'refused-collection',
          ),
        );
        const events = await ctx.environment.prepared.audited(maps);
        return {
          minor: body.minor,
          annotations: events
            .filter(({ auditID }) => auditID === 'refused-collection')
            .map(({ annotations }) => annotations['validation.policy.admission.k8s.io/validation_failure']),
        };
      },
    },
    ...[
      'one/exec?command=a',
      'one/attach',
      'one/log',
      'one/portforward?ports=80',
      'one/exec?container=none',
      'two/exec',
      'two/log',
      'two/portforward',
      'two/attach?container=first',
      'unbound/exec',
      'unbound/exec?container=d',
      'unbound/portforward?ports=x',
      'unbound/portforward?ports=1,-1',
      'unbound/portforward?ports=65536',
      'unbound/portforward?ports=65535&ports=0',
    ].map((path) => ({ name: path, path: `${pods}/${path}` })),
  ],
};
