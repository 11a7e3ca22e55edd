const TABLE = 'application/json;as=Table;g=meta.k8s.io;v=v1';
const apps = '/apis/apps/v1/namespaces/${ns}';
const scalers = '/apis/autoscaling/v2/namespaces/${ns}/horizontalpodautoscalers';
const oldScalers = '/apis/autoscaling/v1/namespaces/${ns}/horizontalpodautoscalers';
const pods = '/api/v1/namespaces/${ns}/pods';
const container = { name: 'c', image: 'i' };
const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [container] } };
const resource = (name, current) => ({ type: 'Resource', resource: { name, ...current } });

export default {
  title:
    'Rows are made from the stored form of an object; every resource list is rounded up to thousandths, once',
  namespace: true,
  steps: [
    {
      name: 'an autoscaler whose metric of the old version is not the last one',
      method: 'POST',
      path: scalers,
      body: {
        metadata: { name: 'a' },
        spec: {
          scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' },
          maxReplicas: 3,
          metrics: [
            resource('cpu', { target: { type: 'Utilization', averageUtilization: 60 } }),
            {
              type: 'Pods',
              pods: { metric: { name: 'q' }, target: { type: 'AverageValue', averageValue: '10' } },
            },
          ],
        },
      },
    },
    {
      name: 'its status',
      method: 'PATCH',
      path: `${scalers}/a/status`,
      contentType: 'application/merge-patch+json',
      body: {
        status: {
          currentReplicas: 1,
          desiredReplicas: 2,
          currentMetrics: [
            resource('cpu', { current: { averageUtilization: 5, averageValue: '50m' } }),
            { type: 'Pods', pods: { metric: { name: 'q' }, current: { averageValue: '7' } } },
          ],
        },
      },
    },
    { name: 'its row', path: `${scalers}/a`, accept: TABLE },
    { name: 'its row in the old version', path: `${oldScalers}/a?includeObject=Object`, accept: TABLE },
    {
      name: 'a pod',
      method: 'POST',
      path: pods,
      body: { metadata: { name: 'p' }, spec: { containers: [container], overhead: {} } },
    },
    {
      name: 'fractions of thousandths in the status of a pod',
      method: 'PATCH',
      path: `${pods}/p/status`,
      contentType: 'application/merge-patch+json',
      body: {
        status: {
          containerStatuses: [
            {
              name: 'c',
              image: 'i',
              imageID: 'x',
              ready: true,
              restartCount: 0,
              allocatedResources: { cpu: '1n' },
              resources: { requests: { cpu: '1500u' }, limits: { cpu: '2m' } },
            },
          ],
        },
      },
    },
    {
      name: 'fractions in the claims of a stateful set',
      method: 'POST',
      path: `${apps}/statefulsets`,
      body: {
        metadata: { name: 's' },
        spec: {
          serviceName: 's',
          selector: { matchLabels: { a: 'b' } },
          template,
          volumeClaimTemplates: [
            {
              metadata: { name: 'v' },
              spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1500u' } } },
              status: { capacity: { storage: '1u' }, allocatedResources: { storage: '1n' } },
            },
          ],
        },
      },
    },
    ...['jobs', 'cronjobs'].map((plural) => {
      const pattern = { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget' }] };
      const job = {
        podFailurePolicy: { rules: [pattern] },
        template: { spec: { ...template.spec, restartPolicy: 'Never' } },
      };
      return {
        name: `a failure policy without the status of a condition in ${plural}`,
        method: 'POST',
        path: `/apis/batch/v1/namespaces/\${ns}/${plural}`,
        body: {
          metadata: { name: 'j' },
          spec: plural === 'jobs' ? job : { schedule: '@daily', jobTemplate: { spec: job } },
        },
      };
    }),
    {
      name: 'an ingress class without the kind of its parameters',
      method: 'POST',
      path: '/apis/networking.k8s.io/v1/ingressclasses',
      body: {
        metadata: { name: 'rows' },
        spec: { controller: 'a/b', parameters: { name: 'x', scope: 'Cluster' } },
      },
    },
  ],
};
