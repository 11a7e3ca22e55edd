import { create, merge } from '../../helpers/dry-run.mjs';

const prefix = { metadata: { generateName: 'A/b c' } };
const finalizers = { metadata: { finalizers: ['a.b'] } };
const classes = '/apis/storage.k8s.io/v1/storageclasses';
const schemas = '/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas';
const quotas = '/api/v1/namespaces/${ns}/resourcequotas';
const nodes = '/apis/storage.k8s.io/v1/csinodes';
const cronJobs = '/apis/batch/v1/namespaces/${ns}/cronjobs';
const events = '/apis/events.k8s.io/v1/namespaces/${ns}/events';
const maps = '/api/v1/namespaces/${ns}/configmaps';
const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } };

export default {
  title: 'Which updates validate the whole metadata',
  namespace: true,
  setup: [
    {
      method: 'POST',
      path: classes,
      body: { metadata: { name: 'kinds-metadata' }, provisioner: 'a.test/b' },
    },
    {
      method: 'POST',
      path: schemas,
      body: {
        metadata: { name: 'kinds-metadata' },
        spec: { priorityLevelConfiguration: { name: 'catch-all' } },
      },
    },
    { method: 'POST', path: quotas, body: { metadata: { name: 'q' }, spec: { hard: { pods: '1' } } } },
    {
      method: 'POST',
      path: cronJobs,
      body: { metadata: { name: 'j' }, spec: { schedule: '* * * * *', jobTemplate: { spec: { template } } } },
    },
    { method: 'POST', path: maps, body: { metadata: { name: 'm' } } },
    {
      method: 'POST',
      path: events,
      body: {
        metadata: { name: 'e' },
        regarding: { kind: 'Pod', name: 'p', namespace: '${ns}' },
        eventTime: '2024-01-02T03:04:05.000000Z',
        reportingController: 'a.test/c',
        reportingInstance: 'i',
        action: 'a',
        reason: 'r',
        type: 'Normal',
      },
    },
  ],
  steps: [
    merge('a storage class', `${classes}/kinds-metadata`, prefix),
    merge('a flow schema', `${schemas}/kinds-metadata`, prefix),
    merge('the status of a flow schema keeps the metadata', `${schemas}/kinds-metadata/status`, prefix),
    merge('a quota', `${quotas}/q`, prefix),
    merge('the status of a quota', `${quotas}/q/status`, prefix),
    merge('finalizers of a cron job', `${cronJobs}/j`, finalizers),
    merge('finalizers in the status of a cron job', `${cronJobs}/j/status`, finalizers),
    merge('finalizers of an event', `${events}/e`, finalizers),
    merge('finalizers of an event in the core group', '/api/v1/namespaces/${ns}/events/e', finalizers),
    merge('a dry run keeps the self link', `${maps}/m`, { metadata: { selfLink: '/x' } }),
    create('a creation drops the self link', maps, { metadata: { name: 'n', selfLink: '/x' } }),
    create('a long node ID and an empty topology key', nodes, {
      metadata: { name: 'x' },
      spec: { drivers: [{ name: 'd.test', nodeID: 'n'.repeat(250), topologyKeys: [''] }] },
    }),
    create('metadata of a review', '/apis/authentication.k8s.io/v1/tokenreviews', {
      metadata: { name: 'x', namespace: 'y', uid: 'z', creationTimestamp: '2024-01-02T03:04:05Z' },
      spec: { token: 'alice-token' },
      status: { error: 'kept' },
    }),
    create('an unknown operator of a review', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', {
      metadata: { uid: 'x' },
      spec: {
        resourceAttributes: {
          verb: 'list',
          resource: 'pods',
          labelSelector: { requirements: [{ key: 'a', operator: 'New', values: ['b c'] }] },
        },
      },
    }),
    create('an empty key of an SSH secret', '/api/v1/namespaces/${ns}/secrets', {
      metadata: { name: 's' },
      type: 'kubernetes.io/ssh-auth',
      data: { 'ssh-privatekey': '' },
    }),
    create('an unknown type of secret', '/api/v1/namespaces/${ns}/secrets', {
      metadata: { name: 's' },
      type: 'kubernetes.io/dockercfg/',
    }),
  ],
};
