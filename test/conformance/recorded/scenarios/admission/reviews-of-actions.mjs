const ns = 'c-reviews-of-actions';
const core = `/api/v1/namespaces/${ns}`;
const deployments = `/apis/apps/v1/namespaces/${ns}/deployments`;
const answer = Buffer.from(JSON.stringify({ response: { allowed: true } })).toString('base64url');
const containers = [{ name: 'c', image: 'i' }];

const install = (type, tag) => ({
  method: 'POST',
  path: `/apis/admissionregistration.k8s.io/v1/${type}webhookconfigurations`,
  body: {
    metadata: { name: `${ns}-${type}` },
    webhooks: [
      {
        name: 'all.example.com',
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
        namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': ns } },
        rules: [{ apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*/*'] }],
        clientConfig: { url: `\${hook}/answer/${tag}/${answer}`, caBundle: '${hookCa}' },
      },
    ],
  },
});

/** What reviews say beyond the stored object; a repeated attempt may ask the same again. */
const seen = ({ review: { request } }) => {
  const { operation, object, oldObject, options } = request;
  const { name, labels, creationTimestamp, namespace } = object?.metadata ?? {};
  const { deletionTimestamp, deletionGracePeriodSeconds } = oldObject?.metadata ?? {};
  return JSON.stringify({
    operation,
    ...(object === null
      ? {}
      : {
          metadata: { name, labels, namespace, isNew: creationTimestamp === null },
          status: object.status,
          audiences: object.spec?.audiences,
        }),
    ...(operation === 'DELETE'
      ? { options, isMarked: deletionTimestamp !== undefined, deletionGracePeriodSeconds }
      : {}),
  });
};

const reviewed = (method, path, body) => ({
  name: `${method} ${path.replace(core, '').replace(deployments, '/deployments')}`,
  run: async (ctx) => {
    const { webhooks } = ctx.environment.prepared;
    for (const tag of ['mutating', 'validating']) webhooks.take(tag);
    const { status } = await ctx.request({ method, path, body });
    return {
      status,
      reviews: Object.fromEntries(
        ['mutating', 'validating'].map((tag) => [
          tag,
          [...new Set(webhooks.take(tag).map(seen))].map((text) => JSON.parse(text)),
        ]),
      ),
    };
  },
});

const pod = (name, metadata, spec) => ({
  method: 'POST',
  path: `${core}/pods`,
  body: { metadata: { name, ...metadata }, spec: { containers, ...spec } },
});
const scale = (metadata) => ({ metadata: { name: 'd', ...metadata }, spec: { replicas: 2 } });

export default {
  title: 'What admission sees of deletions, bindings, scales, tokens, jobs and claims',
  profile: 'webhooks',
  namespace: true,
  setup: [
    pod('bound', {}, { nodeName: 'n', terminationGracePeriodSeconds: 7 }),
    pod('unbound'),
    pod('held', { finalizers: ['example.com/a'] }, { nodeName: 'n' }),
    pod('collected', {}, { nodeName: 'n' }),
    { method: 'POST', path: `${core}/configmaps`, body: { metadata: { name: 'm' } } },
    {
      method: 'POST',
      path: deployments,
      body: {
        metadata: { name: 'd' },
        spec: {
          selector: { matchLabels: { a: 'b' } },
          template: { metadata: { labels: { a: 'b' } }, spec: { containers } },
        },
      },
    },
    install('mutating', 'mutating'),
    install('validating', 'validating'),
  ],
  steps: [
    {
      name: 'wait until the webhooks are called',
      run: async (ctx) => {
        const { webhooks } = ctx.environment.prepared;
        const probe = {
          method: 'POST',
          path: `${core}/configmaps?dryRun=All`,
          body: { metadata: { name: 'probe' } },
        };
        return (
          await ctx.poll(
            probe,
            () => webhooks.take('mutating').length > 0 && webhooks.take('validating').length > 0,
          )
        ).status;
      },
    },
    reviewed('DELETE', `${core}/pods/unbound?dryRun=All`),
    reviewed('DELETE', `${core}/pods/unbound`),
    reviewed('DELETE', `${core}/pods/bound?propagationPolicy=Background`),
    reviewed('DELETE', `${core}/pods/bound`),
    reviewed('DELETE', `${core}/pods/bound?gracePeriodSeconds=7&propagationPolicy=Foreground`),
    { name: 'a pending deletion changes nothing', path: `${core}/pods/bound`, ignore: ['/spec', '/status'] },
    reviewed('DELETE', `${core}/pods/bound?gracePeriodSeconds=-1`),
    reviewed('DELETE', `${core}/pods/held?gracePeriodSeconds=-5`),
    reviewed('DELETE', `${core}/configmaps/m?gracePeriodSeconds=-5`),
    reviewed('DELETE', `${core}/pods?labelSelector=none`),
    reviewed('DELETE', `${core}/pods?fieldSelector=metadata.name%3Dcollected`),
    pod('next'),
    reviewed('POST', `${core}/bindings`, { metadata: { name: 'next' }, target: { kind: 'Node', name: 'n' } }),
    reviewed('POST', `${core}/pods/next/binding`, {
      metadata: { name: 'next', namespace: 'other' },
      target: { kind: 'Node', name: 'n' },
    }),
    reviewed('POST', `${core}/pods/next/binding`, {
      metadata: { name: 'next' },
      target: { kind: 'Node', name: 'n' },
    }),
    reviewed('PUT', `${deployments}/d/scale`, scale({ labels: { own: 'label' } })),
    reviewed('PUT', `${deployments}/d/scale`, scale({ namespace: ns })),
    reviewed('POST', `${core}/serviceaccounts/default/token`, { spec: {} }),
    reviewed('POST', `${core}/serviceaccounts/default/token`, {
      spec: { audiences: ['a'], expirationSeconds: 5 },
    }),
    reviewed('POST', `/apis/batch/v1/namespaces/${ns}/jobs`, {
      metadata: { name: 'j' },
      spec: { template: { spec: { containers, restartPolicy: 'Never' } } },
    }),
    {
      name: 'the labels of the job',
      path: `/apis/batch/v1/namespaces/${ns}/jobs/j`,
      ignore: ['/spec', '/status'],
    },
    reviewed('POST', `${core}/persistentvolumeclaims`, {
      metadata: { name: 'p' },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1' } } },
    }),
    { name: 'the phase of the claim', path: `${core}/persistentvolumeclaims/p` },
    reviewed('DELETE', core),
    reviewed('DELETE', core),
  ],
};
