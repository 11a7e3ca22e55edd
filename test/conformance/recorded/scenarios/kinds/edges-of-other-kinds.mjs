import { create, merge } from '../../helpers/dry-run.mjs';

const runtimes = '/apis/node.k8s.io/v1/runtimeclasses';
const classes = '/apis/networking.k8s.io/v1/ingressclasses';
const scalers = '/apis/autoscaling/v2/namespaces/${ns}/horizontalpodautoscalers';
const jobs = '/apis/batch/v1/namespaces/${ns}/cronjobs';
const requests = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const deployments = '/apis/apps/v1/namespaces/${ns}/deployments';
const scaler = (container) => ({
  metadata: { name: 'h' },
  spec: {
    maxReplicas: 1,
    scaleTargetRef: { kind: 'X', name: 'x' },
    metrics: [
      {
        type: 'ContainerResource',
        containerResource: { name: 'cpu', container, target: { type: 'Utilization', averageUtilization: 1 } },
      },
    ],
  },
});
const template = {
  metadata: { labels: { a: 'b' } },
  spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] },
};
const cronJob = (timeZone) => ({
  metadata: { name: 'j' },
  spec: { schedule: '* * * * *', timeZone, jobTemplate: { spec: { template } } },
});

export default {
  title: 'Rules of other kinds that ordinary objects do not meet',
  namespace: true,
  setup: [
    { method: 'POST', path: runtimes, body: { metadata: { name: 'kinds-edges' }, handler: 'h' } },
    {
      method: 'POST',
      path: classes,
      body: { metadata: { name: 'kinds-edges' }, spec: { controller: 'a.test/b' } },
    },
    {
      method: 'POST',
      path: deployments,
      body: {
        metadata: { name: 'd' },
        spec: {
          selector: { matchLabels: { a: 'b' } },
          template: { ...template, spec: { ...template.spec, restartPolicy: 'Always' } },
        },
      },
    },
  ],
  steps: [
    create('a runtime class may have finalizers without a domain', runtimes, {
      metadata: { name: 'x', finalizers: ['a.b'] },
      handler: 'h',
    }),
    create('an overhead is not rounded', runtimes, {
      metadata: { name: 'x' },
      handler: 'h',
      overhead: { podFixed: { cpu: '0.5m' } },
    }),
    merge('the metadata of a runtime class is validated', `${runtimes}/kinds-edges`, {
      metadata: { generateName: 'a/b' },
    }),
    merge('the metadata of an ingress class is validated', `${classes}/kinds-edges`, {
      metadata: { generateName: '-a' },
    }),
    create('an empty namespace of parameters', classes, {
      metadata: { name: 'x' },
      spec: {
        controller: 'a.test/b',
        parameters: { kind: 'K', name: 'n', scope: 'Namespace', namespace: '' },
      },
    }),
    create('a container of a metric', scalers, scaler('Bad Value!')),
    create('a long container of a metric', scalers, scaler('a'.repeat(64))),
    create('a time zone in capitals', jobs, cronJob('EUROPE/BERLIN')),
    create('a time zone with other capitals', jobs, cronJob('EuRope/Berlin')),
    create('an alias of a time zone', jobs, cronJob('US/Eastern')),
    create('the first malformed label of a signer', requests, {
      metadata: { name: 'x' },
      spec: { request: 'x', usages: ['any'], signerName: 'A.B/C.D' },
    }),
    {
      name: 'a Scale of another namespace',
      method: 'PUT',
      path: `${deployments}/d/scale?dryRun=All`,
      body: {
        apiVersion: 'autoscaling/v1',
        kind: 'Scale',
        metadata: { name: 'd', namespace: 'other' },
        spec: { replicas: 2 },
      },
    },
  ],
};
