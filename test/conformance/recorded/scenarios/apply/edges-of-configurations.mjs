import { CRDS, definition, untilServed, version } from '../../helpers/definitions.mjs';
import { patch, post } from '../../helpers/requests.mjs';

const group = 'edges-of-configurations.example.test';
const things = `/apis/${group}/v1/namespaces/\${ns}/things`;
const otherThings = things.replace('/v1/', '/v2/');
const deployments = '/apis/apps/v1/namespaces/${ns}/deployments';
const replicaSets = '/apis/apps/v1/namespaces/${ns}/replicasets';
const maps = '/api/v1/namespaces/${ns}/configmaps';
const services = '/api/v1/namespaces/${ns}/services';
const autoscalers = (version) => `/apis/autoscaling/${version}/namespaces/\${ns}/horizontalpodautoscalers`;
const requests = '/apis/certificates.k8s.io/v1/certificatesigningrequests';

const apply = (name, path, apiVersion, kind, rest, query = 'one') => ({
  name,
  method: 'PATCH',
  path: `${path}?fieldManager=${query}`,
  contentType: 'application/apply-patch+yaml',
  body: { apiVersion, kind, ...rest },
  managedFields: 'keep',
});
const thing = (name, rest, query) => apply(name, `${things}/a`, `${group}/v1`, 'Thing', rest, query);
const map = (name, rest, query) => apply(name, `${maps}/a`, 'v1', 'ConfigMap', rest, query);
const autoscaler = (name, version, spec, query) =>
  apply(
    name,
    `${autoscalers(version)}/a`,
    `autoscaling/${version}`,
    'HorizontalPodAutoscaler',
    { spec },
    query,
  );

const properties = { when: { type: 'string', format: 'date-time' }, size: { type: 'string' } };
const thingSchema = { type: 'object', properties: { ...properties, only: { type: 'string' } } };
const markedSchema = {
  type: 'object',
  properties: { ...properties, mark: { type: 'string', default: 'x' } },
};
const metrics = [
  { type: 'Resource', resource: { name: 'memory', target: { type: 'Utilization', averageUtilization: 50 } } },
];
const target = { scaleTargetRef: { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' }, maxReplicas: 3 };
const annotated = {
  'example.test/null': null,
  'kubectl.kubernetes.io/last-applied-configuration': '{}',
};
const bad = { metadata: { managedFields: [{ manager: 'm' }] } };

export default {
  title: 'Configurations with formats, nulls, empty metadata, other versions, and without their object',
  namespace: true,
  setup: [
    post(
      'a definition',
      CRDS,
      definition(
        group,
        'Namespaced',
        { plural: 'things', kind: 'Thing' },
        version('v1', markedSchema),
        version('v2', thingSchema),
      ),
    ),
    { run: untilServed(things, otherThings) },
  ],
  steps: [
    thing('a time', { metadata: { name: 'a' }, when: '2024-01-02T03:04:05Z', size: 'x' }),
    thing('a boolean for the time of another', { when: false }, 'two'),
    thing('a boolean for a text of another', { size: false }, 'two'),
    {
      ...thing('empty labels', { metadata: { labels: {} } }, 'three'),
      save: { before: '/metadata/resourceVersion' },
    },
    thing('empty labels again', { metadata: { labels: {} } }, 'three'),
    thing('empty lists', { metadata: { finalizers: [], ownerReferences: [] } }, 'three'),
    thing('no labels', { metadata: {} }, 'three'),
    thing('a null in labels', { metadata: { labels: { a: null } } }, 'three'),
    thing(
      'the annotation of client-side apply',
      { metadata: { annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '{}' } } },
      'three',
    ),
    thing('beside a null, by kubectl', { metadata: { annotations: { a: null } } }, 'kubectl'),
    thing('beside none, by kubectl', { metadata: { annotations: { b: 'b' } } }, 'kubectl'),
    post('an object without a default of the stored version', otherThings, {
      apiVersion: `${group}/v2`,
      kind: 'Thing',
      metadata: { name: 'b' },
    }),
    patch('is not changed by a patch without changes', `${things}/b`, {}),
    patch('nor by its default', `${things}/b`, { mark: 'x' }),
    patch('but by another value', `${things}/b`, { mark: 'y' }),
    post('an object with a field that the stored version lacks', otherThings, {
      apiVersion: `${group}/v2`,
      kind: 'Thing',
      metadata: { name: 'c' },
      mark: 'z',
      only: 'x',
    }),
    patch('a default is missing', `${things}/c`, {}),
    patch('nothing is missing', `${otherThings}/c`, { only: 'y' }),
    map(
      'a map by client-side apply',
      { metadata: { name: 'a', annotations: annotated } },
      'kubectl&force=true',
    ),
    post('an autoscaler', autoscalers('v2'), { metadata: { name: 'a' }, spec: { ...target, metrics } }),
    autoscaler('an owner in version 1', 'v1', { maxReplicas: 3 }, 'three'),
    autoscaler('the same metrics', 'v2', { metrics }, 'two'),
    autoscaler('no metrics', 'v2', { metrics: [] }, 'two'),
    apply('a scale without its object', `${deployments}/none/scale`, 'v1', 'Pod', bad),
    apply('a status without its object', `${deployments}/none/status`, 'v1', 'Pod', bad),
    apply('an approval without its object', `${requests}/none/approval`, 'v1', 'Pod', bad),
    apply('an object that is missing', `${deployments}/none`, 'v1', 'Pod', bad),
    post('an immutable map', maps, { metadata: { name: 'fixed' }, immutable: true }),
    patch('gets empty data', `${maps}/fixed`, { data: {} }),
    patch('gets empty binary data', `${maps}/fixed`, { binaryData: {} }),
    post('an external name', services, {
      metadata: { name: 'external' },
      spec: { type: 'ExternalName', externalName: 'a.example.test', internalTrafficPolicy: 'Local' },
    }),
    post('a selector that cannot be evaluated', replicaSets, {
      metadata: { name: 'r' },
      spec: { selector: { matchExpressions: [{}] }, template: { spec: { restartPolicy: 'OnFailure' } } },
    }),
  ],
};
