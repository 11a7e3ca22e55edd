import type { SimulatedCluster } from '../../nodes/simulated-cluster.ts';

/** Creates objects for which a controller has to write something. */
export type Provoke = (cluster: SimulatedCluster, namespace: string, name: string) => Promise<unknown>;

const containers = [{ name: 'main', image: 'app:1' }];
const labels = { app: 'app' };
const template = { metadata: { labels }, spec: { containers } };
const selector = { matchLabels: labels };
const job = {
  template: { spec: { containers: [{ ...containers[0], command: ['true'] }], restartPolicy: 'Never' } },
};
const claim = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };

const core = (namespace: string, resource: string): string => `/api/v1/namespaces/${namespace}/${resource}`;

/** Creates one object of a group, with a spec. */
const create =
  (group: string, resource: string, spec: object): Provoke =>
  (cluster, namespace, name) =>
    cluster.send('POST', `/apis/${group}/namespaces/${namespace}/${resource}`, { metadata: { name }, spec });

const createPod = (cluster: SimulatedCluster, namespace: string, name: string, spec: object, metadata = {}) =>
  cluster.send('POST', core(namespace, 'pods'), {
    metadata: { name, ...metadata },
    spec: { containers, ...spec },
  });

const createService: Provoke = (cluster, namespace, name) =>
  cluster.send('POST', core(namespace, 'services'), {
    metadata: { name },
    spec: { selector: labels, ports: [{ port: 80 }] },
  });

const createNode: Provoke = (cluster, _namespace, name) =>
  cluster.send('POST', '/api/v1/nodes', { metadata: { name } });

/** By service account. */
export const PROVOCATIONS: Readonly<Record<string, Provoke>> = {
  'cronjob-controller': async (cluster, namespace, name) => {
    const path = `/apis/batch/v1/namespaces/${namespace}/cronjobs`;
    const spec = { schedule: '0 0 1 1 *', jobTemplate: { spec: job } };
    await cluster.send('POST', path, { metadata: { name }, spec });
    const active = [{ apiVersion: 'batch/v1', kind: 'Job', namespace, name: 'gone', uid: 'gone' }];
    await cluster.merge(`${path}/${name}/status`, { status: { active } });
  },
  'daemon-set-controller': create('apps/v1', 'daemonsets', { selector, template }),
  'deployment-controller': create('apps/v1', 'deployments', { selector, template }),
  'disruption-controller': create('policy/v1', 'poddisruptionbudgets', { selector, minAvailable: 1 }),
  'endpoint-controller': createService,
  'endpointslice-controller': createService,
  'endpointslicemirroring-controller': async (cluster, namespace, name) => {
    const metadata = { name };
    await cluster.send('POST', core(namespace, 'services'), { metadata, spec: { ports: [{ port: 80 }] } });
    const subsets = [{ addresses: [{ ip: '192.0.2.1' }], ports: [{ port: 80 }] }];
    await cluster.send('POST', core(namespace, 'endpoints'), { metadata, subsets });
  },
  'ephemeral-volume-controller': (cluster, namespace, name) =>
    createPod(cluster, namespace, name, {
      volumes: [{ name: 'scratch', ephemeral: { volumeClaimTemplate: { spec: claim } } }],
    }),
  'horizontal-pod-autoscaler': create('autoscaling/v2', 'horizontalpodautoscalers', {
    maxReplicas: 2,
    scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'absent' },
  }),
  'job-controller': create('batch/v1', 'jobs', job),
  'node-controller': createNode,
  'persistent-volume-binder': (cluster, _namespace, name) =>
    cluster.send('POST', '/api/v1/persistentvolumes', {
      metadata: { name },
      spec: { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' }, hostPath: { path: '/a' } },
    }),
  'pod-garbage-collector': async (cluster, namespace, name) => {
    const finalizers = ['example.com/held'];
    await createPod(cluster, namespace, name, { schedulingGates: [{ name: 'wait' }] }, { finalizers });
    await cluster.send('DELETE', core(namespace, `pods/${name}`));
  },
  'replicaset-controller': create('apps/v1', 'replicasets', { selector, template }),
  'replication-controller': (cluster, namespace, name) =>
    cluster.send('POST', core(namespace, 'replicationcontrollers'), {
      metadata: { name },
      spec: { selector: labels, template },
    }),
  'resource-claim-controller': async (cluster, namespace, name) => {
    const requests = [{ name: 'one', deviceClassName: 'absent' }];
    await create('resource.k8s.io/v1beta1', 'resourceclaimtemplates', { spec: { devices: { requests } } })(
      cluster,
      namespace,
      name,
    );
    await createPod(cluster, namespace, name, {
      resourceClaims: [{ name: 'gpu', resourceClaimTemplateName: name }],
    });
  },
  'statefulset-controller': create('apps/v1', 'statefulsets', { selector, template, serviceName: 'app' }),
  'ttl-after-finished-controller': create('batch/v1', 'jobs', { ...job, ttlSecondsAfterFinished: 0 }),
  'ttl-controller': createNode,
};
