const BASE = '/apis/flowcontrol.apiserver.k8s.io/v1';
const USER = (name) => ({ kind: 'User', user: { name } });
const rule = (subjects, resource, more = {}) => ({
  subjects,
  resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'], ...resource }],
  ...more,
});
const paths = (...nonResourceURLs) => ({
  subjects: [USER('path')],
  nonResourceRules: [{ verbs: ['get'], nonResourceURLs }],
});
const schema = (name, matchingPrecedence, rules, level = 'rules-level') => ({
  name: `create ${name}`,
  method: 'POST',
  path: `${BASE}/flowschemas`,
  body: {
    metadata: { name: `rules-${name}` },
    spec: { matchingPrecedence, priorityLevelConfiguration: { name: level }, rules },
  },
});
const EVERYWHERE = { namespaces: ['*'], clusterScope: true };

/** Requests as user, method, path and, for some, a group. */
const REQUESTS = [
  ['one', 'GET', '/api/v1/namespaces/default/configmaps/x'],
  ['one', 'GET', '/api/v1/namespaces/other/configmaps/x'],
  ['one', 'GET', '/api/v1/configmaps'],
  ['one', 'GET', '/api/v1/namespaces/default'],
  ['one', 'POST', '/api/v1/namespaces/default/configmaps'],
  ['tie', 'GET', '/api/v1/pods'],
  ['cluster', 'GET', '/api/v1/nodes'],
  ['cluster', 'GET', '/api/v1/pods'],
  ['cluster', 'GET', '/api/v1/namespaces/default/pods'],
  ['sub', 'GET', '/api/v1/namespaces/default/pods/x/status'],
  ['sub', 'GET', '/api/v1/namespaces/default/pods/x'],
  ['path', 'GET', '/version'],
  ['path', 'GET', '/apis/'],
  ['path', 'GET', '/apis'],
  ['path', 'GET', '/openapi/v2'],
  ['path', 'POST', '/apis/apps/v1'],
  ['any', 'GET', '/api/v1/pods', 'rules-group'],
  ['any', 'GET', '/healthz', 'rules-group'],
  ['system:serviceaccount:rules:a', 'GET', '/api/v1/pods'],
  ['system:serviceaccount:rules:b', 'GET', '/api/v1/pods'],
  ['system:serviceaccount:other:a', 'GET', '/api/v1/pods'],
  ['dangling', 'GET', '/api/v1/pods'],
  ['verbs', 'DELETE', '/api/v1/namespaces/default/pods'],
  ['verbs', 'GET', '/api/v1/namespaces/default/pods'],
  ['one', 'GET', '/none/path'],
  ['one', 'GET', '/apis/none/v1/x'],
  ['one', 'GET', '/api/v1/namespaces/default/pods/x/log'],
  ['one', 'HEAD', '/api/v1/namespaces/default/configmaps/x'],
];

export default {
  title:
    'Flow schemas: which rule, subject and precedence a request falls under, and what a missing level does',
  steps: [
    {
      name: 'create a level',
      method: 'POST',
      path: `${BASE}/prioritylevelconfigurations`,
      body: {
        metadata: { name: 'rules-level' },
        spec: {
          type: 'Limited',
          limited: { nominalConcurrencyShares: 5, limitResponse: { type: 'Reject' } },
        },
      },
    },
    schema('one', 101, [rule([USER('one')], { verbs: ['get', 'list'], apiGroups: [''], namespaces: ['*'] })]),
    schema('one-map', 100, [
      rule([USER('one')], { verbs: ['get'], resources: ['configmaps'], namespaces: ['default'] }),
    ]),
    schema('tie-b', 102, [rule([USER('tie')], EVERYWHERE)]),
    schema('tie-a', 102, [rule([USER('tie')], { verbs: ['list'], namespaces: ['*'], clusterScope: true })]),
    schema('cluster', 103, [rule([USER('cluster')], { clusterScope: true })]),
    schema('sub', 104, [rule([USER('sub')], { resources: ['pods/status'], namespaces: ['*'] })]),
    schema('path', 105, [paths('/version', '/apis/*', '/openapi*'), paths('/version', '/apis/*')]),
    schema('paths', 106, [paths('/version', '/apis/*')]),
    schema('group', 107, [rule([{ kind: 'Group', group: { name: 'rules-group' } }], EVERYWHERE)]),
    schema('account', 108, [
      rule([{ kind: 'ServiceAccount', serviceAccount: { namespace: 'rules', name: 'a' } }], EVERYWHERE),
    ]),
    schema('accounts', 109, [
      rule([{ kind: 'ServiceAccount', serviceAccount: { namespace: 'rules', name: '*' } }], EVERYWHERE),
    ]),
    schema('dangling', 110, [rule([USER('dangling')], EVERYWHERE)], 'rules-absent'),
    schema('after', 111, [rule([USER('dangling')], EVERYWHERE)]),
    schema('verbs', 112, [rule([USER('verbs')], { verbs: ['deletecollection'], ...EVERYWHERE })]),
    schema('empty', 113, []),
    {
      name: 'classification',
      timeoutMs: 30_000,
      run: async (ctx) => {
        const names = {};
        const label = ({ headers }, kind) => names[headers[`x-kubernetes-pf-${kind}-uid`]?.[0]] ?? null;
        await ctx.sleep(2000);
        for (const kind of ['flowschemas', 'prioritylevelconfigurations'])
          for (const { metadata } of (await ctx.request({ path: `${BASE}/${kind}` })).body.items)
            names[metadata.uid] = metadata.name;
        const seen = {};
        for (const [user, method, path, group] of REQUESTS) {
          const headers = { 'impersonate-user': user, ...(group && { 'impersonate-group': group }) };
          const body = method === 'POST' ? {} : undefined;
          const answer = await ctx.request({ method, path, headers, body });
          seen[`${user} ${method} ${path}`] =
            `${answer.status} ${label(answer, 'flowschema')} ${label(answer, 'prioritylevel')}`;
        }
        return seen;
      },
    },
    {
      name: 'conditions',
      run: async (ctx) => {
        const statuses = {};
        for (const name of ['dangling', 'after', 'empty'])
          statuses[name] = (await ctx.request({ path: `${BASE}/flowschemas/rules-${name}` })).body.status;
        return statuses;
      },
    },
  ],
};
