const odd = ['a\u0000b', '\u001b\u007f', '\u200b\u00a0é☃', '🙂\u{10ffff}\n"\\'];
const core = '/api/v1/namespaces/${ns}';
const post = (path, body) => ({ method: 'POST', path: `${path}?dryRun=All`, body });

/** Requests whose errors show a text. */
const requests = (text) => [
  post(`${core}/configmaps`, { metadata: { name: text } }),
  post(`${core}/configmaps`, { metadata: { name: 'x', creationTimestamp: text } }),
  post(`${core}/configmaps`, { apiVersion: text, kind: text, metadata: { name: 'x' } }),
  post(`${core}/services`, {
    metadata: { name: 's' },
    spec: { type: text, clusterIP: text, ports: [{ port: 1, name: text }] },
  }),
  post('/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
    metadata: { name: 'c' },
    roleRef: { kind: text, name: 'r', apiGroup: text },
  }),
  post(`/apis/networking.k8s.io/v1/namespaces/\${ns}/networkpolicies`, {
    metadata: { name: 'n' },
    spec: { podSelector: { matchExpressions: [{ key: 'k', operator: text }] }, policyTypes: [text] },
  }),
  {
    method: 'PATCH',
    path: `${core}/configmaps/none`,
    contentType: 'application/json-patch+json',
    body: [{ op: text, path: '/a' }],
  },
  { path: `${core}/configmaps/${encodeURIComponent(text)}` },
  { path: `${core}/configmaps/${encodeURIComponent(text)}`, as: 'alice' },
  { path: `${core}/pods?timeout=${encodeURIComponent(text)}` },
  { method: 'DELETE', path: `${core}/pods/x?dryRun=${encodeURIComponent(text)}` },
];

export default {
  title: 'Errors quote texts like Go: control characters by number, invisible ones escaped',
  namespace: true,
  steps: odd.flatMap((text) =>
    requests(text).map((request, index) => ({ name: `${index} ${JSON.stringify(text)}`, ...request })),
  ),
};
