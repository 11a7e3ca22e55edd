const rbac = '/apis/rbac.authorization.k8s.io/v1';
const eve = { headers: { 'impersonate-user': 'escalation-eve' }, token: 'admin-token' };
const ref = (kind, name) => ({ apiGroup: 'rbac.authorization.k8s.io', kind, name });
const everywhere = [
  {
    apiGroups: ['rbac.authorization.k8s.io'],
    resources: ['roles', 'clusterroles', 'rolebindings', 'clusterrolebindings'],
    verbs: ['get', 'create', 'update', 'patch'],
  },
];
const reviews = '/apis/authorization.k8s.io/v1/subjectaccessreviews';
const subjects = [{ kind: 'User', name: 'escalation-eve', apiGroup: 'rbac.authorization.k8s.io' }];
const pods = { apiGroups: [''], resources: ['pods'], verbs: ['get'] };
const aggregation = { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] };

const create = (name, path, body) => ({
  name,
  method: 'POST',
  path: `${rbac}/${path}?dryRun=All`,
  body,
  as: eve,
});
const patch = (name, body) => ({
  name,
  method: 'PATCH',
  path: `${rbac}/clusterroles/escalation-gathered?dryRun=All`,
  contentType: 'application/merge-patch+json',
  body,
  as: eve,
});
const review = (name, requirement) => ({
  name,
  method: 'POST',
  path: reviews,
  body: {
    spec: {
      user: 'escalation-eve',
      resourceAttributes: { verb: 'get', resource: 'pods', labelSelector: { requirements: [requirement] } },
    },
  },
});

export default {
  title: 'Escalation: missing roles, aggregation, changes for garbage collection; selectors of reviews',
  namespace: true,
  setup: [
    {
      method: 'POST',
      path: `${rbac}/clusterroles`,
      body: { metadata: { name: 'escalation-details' }, rules: everywhere },
    },
    {
      method: 'POST',
      path: `${rbac}/clusterrolebindings`,
      body: {
        metadata: { name: 'escalation-details' },
        roleRef: ref('ClusterRole', 'escalation-details'),
        subjects,
      },
    },
    {
      method: 'POST',
      path: `${rbac}/namespaces/\${ns}/rolebindings`,
      body: { metadata: { name: 'dangling' }, roleRef: ref('Role', 'gone'), subjects },
    },
    {
      method: 'POST',
      path: `${rbac}/clusterroles`,
      body: { metadata: { name: 'escalation-gathered' }, aggregationRule: aggregation, rules: [] },
    },
    {
      name: 'until the grants are known',
      run: (ctx) =>
        ctx.poll(
          { path: `${rbac}/clusterroles/escalation-details`, as: eve },
          (answer) => answer.status === 200,
        ),
    },
  ],
  steps: [
    create('a role beside a dangling binding', 'namespaces/${ns}/roles', {
      metadata: { name: 'x' },
      rules: [pods],
    }),
    create('a binding of a missing role', 'namespaces/${ns}/rolebindings', {
      metadata: { name: 'x' },
      roleRef: ref('Role', 'gone'),
      subjects,
    }),
    create('an aggregated role', 'clusterroles', { metadata: { name: 'x' }, aggregationRule: aggregation }),
    create('an aggregated role with rules', 'clusterroles', {
      metadata: { name: 'x' },
      aggregationRule: aggregation,
      rules: [pods],
    }),
    patch('a label of an aggregated role', { metadata: { labels: { a: 'b' } } }),
    patch('the end of the aggregation', { aggregationRule: null }),
    patch('a finalizer only', { metadata: { finalizers: ['example.com/keep'] } }),
    patch('invalid rules', { rules: [{ verbs: [] }] }),
    {
      ...patch('invalid rules by an administrator', { rules: [{ verbs: ['get'] }] }),
      as: 'admin',
    },
    review('an unknown operator', { key: 'a', operator: 'Near', values: ['b'] }),
    review('an invalid value', { key: 'a', operator: 'In', values: ['b!'] }),
  ],
};
