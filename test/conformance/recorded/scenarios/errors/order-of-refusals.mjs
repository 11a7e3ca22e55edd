import { patch, post, put } from '../../helpers/requests.mjs';

const maps = '/api/v1/namespaces/${ns}/configmaps';
const pods = '/api/v1/namespaces/${ns}/pods';
const leases = '/apis/coordination.k8s.io/v1/namespaces/${ns}/leases';
const jobs = '/apis/batch/v1/namespaces/${ns}/jobs';
const ingresses = '/apis/networking.k8s.io/v1/namespaces/${ns}/ingresses';
const deployments = '/apis/apps/v1/namespaces/${ns}/deployments';
const volumes = '/api/v1/persistentvolumes?dryRun=All';

const uid = '11111111-1111-4111-8111-111111111111';
const gone = { metadata: { name: 'gone', uid } };
const apply = (name, path, body) => ({
  name,
  method: 'PATCH',
  path,
  contentType: 'application/apply-patch+yaml',
  body,
});
const volume = (source, annotations) => ({
  metadata: { name: 'order-of-refusals', annotations },
  spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], ...source },
});
const mountOptions = { 'volume.beta.kubernetes.io/mount-options': 'ro' };
const scale = (metadata, replicas) => ({
  apiVersion: 'autoscaling/v1',
  kind: 'Scale',
  metadata,
  spec: { replicas },
});
const labels = { app: 'web' };

export default {
  title: 'Which of several reasons refuses a write',
  namespace: true,
  setup: [
    { method: 'POST', path: maps, body: { metadata: { name: 'm' } } },
    {
      method: 'PATCH',
      path: `${deployments}/d?fieldManager=one`,
      contentType: 'application/apply-patch+yaml',
      body: {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'd' },
        spec: {
          selector: { matchLabels: labels },
          template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } },
        },
      },
    },
  ],
  steps: [
    put('an object that is gone, with its uid', `${maps}/gone`, gone),
    put('its status', `${pods}/gone/status`, { ...gone, spec: { containers: [{ name: 'c', image: 'i' }] } }),
    put('one that an update creates', `${leases}/gone`, gone),
    put('without its uid', `${maps}/gone`, { metadata: { name: 'gone', resourceVersion: '5' } }),
    put('another namespace and no name', `${maps}/m`, { metadata: { namespace: 'other' } }),
    patch(
      'the same in a patch',
      `${maps}/m`,
      [{ op: 'replace', path: '/metadata', value: { namespace: 'other' } }],
      'json',
    ),
    post('a version and an invalid object', jobs, { metadata: { name: 'j', resourceVersion: '5' } }),
    post('a version and a valid object', maps, { metadata: { name: 'n', resourceVersion: '5' } }),
    patch('a list without validation', `${maps}/m?fieldValidation=Ignore`, []),
    patch('a text without validation', `${maps}/m?fieldValidation=Ignore`, '"x"'),
    patch('a list with validation', `${maps}/m?fieldValidation=Warn`, []),
    post('mount options of a host path', volumes, volume({ hostPath: { path: '/x' } }, mountOptions)),
    post('mount options of a share', volumes, volume({ nfs: { server: 'a', path: '/' } }, mountOptions)),
    post('a source of the past', volumes, volume({ storageos: { volumeName: 'v' } })),
    post('a class twice', ingresses, {
      metadata: { name: 'i', annotations: { 'kubernetes.io/ingress.class': 'c' } },
      spec: { ingressClassName: 'c', defaultBackend: { service: { name: 's', port: { number: 80 } } } },
    }),
    apply('replicas that nobody owns', `${deployments}/d/scale?fieldManager=two`, scale({ name: 'd' }, 3)),
    apply('with force and no name', `${deployments}/d/scale?fieldManager=two&force=true`, scale({}, 3)),
  ],
};
