const unconfined = { 'container.seccomp.security.alpha.kubernetes.io/c': 'unconfined' };
const namespaces = { old: 'v1.18', new: 'v1.19' };

const container = (more) => ({ name: 'c', image: 'i', ...more });
const pod = (namespace, name, spec, annotations) => ({
  name: `${name} in ${namespaces[namespace]}`,
  method: 'POST',
  path: `/api/v1/namespaces/pod-security-versions-${namespace}/pods?dryRun=All`,
  body: { metadata: { name: 'p', annotations }, spec: { containers: [container()], ...spec } },
  ignore: ['/spec', '/metadata'],
});

export default {
  title: 'Pod security: seccomp before and since 1.19, several host ports, templates with annotations',
  setup: Object.entries(namespaces).flatMap(([name, version]) => {
    const namespace = `pod-security-versions-${name}`;
    const labels = {
      'pod-security.kubernetes.io/enforce': 'baseline',
      'pod-security.kubernetes.io/enforce-version': version,
    };
    return [
      { method: 'POST', path: '/api/v1/namespaces', body: { metadata: { name: namespace, labels } } },
      {
        method: 'POST',
        path: `/api/v1/namespaces/${namespace}/serviceaccounts`,
        body: { metadata: { name: 'default' } },
      },
    ];
  }),
  steps: [
    ...Object.keys(namespaces).flatMap((namespace) => [
      pod(namespace, 'a field', { securityContext: { seccompProfile: { type: 'Unconfined' } } }),
      pod(namespace, 'an annotation', {}, unconfined),
      pod(namespace, 'host ports', {
        containers: [
          container({
            ports: [
              { containerPort: 80, hostPort: 8080 },
              { containerPort: 81, hostPort: 80 },
            ],
          }),
        ],
      }),
    ]),
    {
      name: 'a template whose annotation and field differ',
      method: 'POST',
      path: '/apis/apps/v1/namespaces/pod-security-versions-new/deployments?dryRun=All',
      body: {
        metadata: { name: 'd' },
        spec: {
          selector: { matchLabels: { a: 'b' } },
          template: {
            metadata: { labels: { a: 'b' }, annotations: unconfined },
            spec: {
              containers: [container({ securityContext: { seccompProfile: { type: 'RuntimeDefault' } } })],
            },
          },
        },
      },
    },
  ],
};
