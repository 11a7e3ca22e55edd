import * as requests from '../../helpers/requests.mjs';

const deployments = '/apis/apps/v1/namespaces/${ns}/deployments';
const sets = '/apis/apps/v1/namespaces/${ns}/statefulsets';
const pods = '/api/v1/namespaces/${ns}/pods';
const maps = '/api/v1/namespaces/${ns}/configmaps';
const claims = '/api/v1/namespaces/${ns}/persistentvolumeclaims';
const services = '/api/v1/namespaces/${ns}/services';
const revisions = '/apis/apps/v1/namespaces/${ns}/controllerrevisions';
const slices = '/apis/discovery.k8s.io/v1/namespaces/${ns}/endpointslices';
const policies = '/apis/networking.k8s.io/v1/namespaces/${ns}/networkpolicies';
const roles = '/apis/rbac.authorization.k8s.io/v1/namespaces/${ns}/roles';
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

const keep = { managedFields: 'keep' };
const kept =
  (request) =>
  (...parameters) => ({ ...request(...parameters), ...keep });
const post = kept(requests.post);
const put = kept(requests.put);
const patch = kept(requests.patch);
const get = (name, path) => ({ name, path, ...keep });
const apply = (name, path, apiVersion, kind, rest, manager = 'one') => ({
  name,
  method: 'PATCH',
  path: `${path}?fieldManager=${manager}`,
  contentType: 'application/apply-patch+yaml',
  body: { apiVersion, kind, ...rest },
  ...keep,
});

const labels = { app: 'web' };
const selector = { matchLabels: labels };
const podSpec = { containers: [{ name: 'c', image: 'i' }] };
const template = { metadata: { labels }, spec: podSpec };
const withEnv = (env) => ({ spec: { template: { spec: { containers: [{ name: 'c', image: 'i', env }] } } } });
const scale = (replicas) => ({
  apiVersion: 'autoscaling/v1',
  kind: 'Scale',
  metadata: { name: 'd' },
  spec: { replicas },
});
const twice = [
  { name: 'A', value: '1' },
  { name: 'A', value: '2' },
];
const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: 'o-uid' };
const entry = (apiVersion) => ({
  metadata: {
    managedFields: [
      {
        manager: 'm',
        operation: 'Update',
        apiVersion,
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:data': { 'f:a': {} } },
      },
    ],
  },
});
const claimSpec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
const claimTemplate = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'd' } };
const rule = { apiGroups: [''], resources: ['pods'], verbs: ['get'] };
const definition = {
  metadata: { name: 'owned.apply-owners.example.test' },
  spec: {
    group: 'apply-owners.example.test',
    scope: 'Namespaced',
    names: { plural: 'owned', kind: 'Owned' },
    versions: [{ name: 'v1', served: false, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
};

async function established(ctx) {
  const path = `${definitions}/owned.apply-owners.example.test`;
  const { body } = await ctx.poll({ path }, (answer) =>
    (answer.body.status?.conditions ?? []).some(
      ({ type, status }) => type === 'Established' && status === 'True',
    ),
  );
  return body.metadata.name;
}

export default {
  title: 'Owners of writes through subresources, of equal and of repeated list items, and of templates',
  namespace: true,
  steps: [
    apply('replicas have a default', `${deployments}/d`, 'apps/v1', 'Deployment', {
      metadata: { name: 'd' },
      spec: { selector, template },
    }),
    put('a scale whose replicas nobody owns', `${deployments}/d/scale`, scale(3)),
    get('has no owner', `${deployments}/d`),
    patch('replicas get an owner', `${deployments}/d`, { spec: { replicas: 2 } }),
    put('a scale takes them', `${deployments}/d/scale`, scale(4)),
    get('and has an owner', `${deployments}/d`),
    patch('a repeated item', `${deployments}/d`, withEnv(twice)),
    patch('its copy goes', `${deployments}/d`, withEnv(twice.slice(1))),
    patch('and comes again', `${deployments}/d`, withEnv(twice)),
    patch('copies differ', `${deployments}/d`, withEnv([twice[0], { ...twice[1], value: '3' }])),
    patch('both go', `${deployments}/d`, withEnv([])),
    post('a pod', pods, { metadata: { name: 'p' }, spec: podSpec }),
    apply('an owner of the pod through its status', `${pods}/p/status`, 'v1', 'Pod', {
      metadata: { name: 'p', ownerReferences: [owner], labels },
      status: { message: 'm' },
    }),
    post('a definition', definitions, definition),
    { name: 'it is established', run: established },
    {
      ...patch('labels through its status', `${definitions}/owned.apply-owners.example.test/status`, {
        metadata: { labels },
      }),
      ignore: ['/status'],
    },
    apply('endpoints without conditions', `${slices}/s`, 'discovery.k8s.io/v1', 'EndpointSlice', {
      metadata: { name: 's' },
      addressType: 'IPv4',
      endpoints: [{ addresses: ['192.0.2.1'] }],
    }),
    patch('are the same with empty ones', `${slices}/s`, {
      endpoints: [{ addresses: ['192.0.2.1'], conditions: {} }],
    }),
    patch('but not with an empty map', `${slices}/s`, {
      endpoints: [{ addresses: ['192.0.2.1'], deprecatedTopology: {} }],
    }),
    post('an empty selector', policies, {
      metadata: { name: 'n' },
      spec: { podSelector: { matchLabels: {} } },
    }),
    apply('rules', `${roles}/r`, 'rbac.authorization.k8s.io/v1', 'Role', {
      metadata: { name: 'r' },
      rules: [rule],
    }),
    patch('an empty list is not an unset one', `${roles}/r`, { rules: [{ ...rule, resourceNames: [] }] }),
    apply('a template with a type', `${sets}/s`, 'apps/v1', 'StatefulSet', {
      metadata: { name: 's' },
      spec: { selector, template, volumeClaimTemplates: [{ ...claimTemplate, spec: claimSpec }] },
    }),
    apply('a pod template with a type', `${sets}/t`, 'apps/v1', 'StatefulSet', {
      metadata: { name: 't' },
      spec: { selector, template: { kind: 'Pod', ...template } },
    }),
    post('a map', maps, { metadata: { name: 'm' }, data: { a: 'b' } }),
    patch('an entry without a version', `${maps}/m`, entry('')),
    patch('an entry of an unknown version', `${maps}/m`, entry('v2')),
    apply('applied', `${maps}/m`, 'v1', 'ConfigMap', { metadata: { name: 'm' }, data: { c: 'd' } }),
    patch(
      'a version that cannot be parsed',
      `${maps}/m`,
      [{ op: 'replace', path: '/metadata/managedFields/0/apiVersion', value: 'a/b/c' }],
      'json',
    ),
    apply('a claim', `${claims}/c`, 'v1', 'PersistentVolumeClaim', {
      metadata: { name: 'c' },
      spec: claimSpec,
    }),
    apply('the same again stores its phase', `${claims}/c`, 'v1', 'PersistentVolumeClaim', {
      metadata: { name: 'c' },
      spec: claimSpec,
    }),
    patch('and then nothing', `${claims}/c`, {}),
    post('data in an order', revisions, {
      apiVersion: 'apps/v1',
      kind: 'ControllerRevision',
      metadata: { name: 'r' },
      data: { b: 1, a: 2 },
      revision: 1,
    }),
    patch('a patch of something else keeps it', `${revisions}/r`, { metadata: { labels } }),
    {
      ...apply('an apply of something else does not', `${revisions}/r`, 'apps/v1', 'ControllerRevision', {
        metadata: { name: 'r', annotations: { a: 'b' } },
        revision: 1,
      }),
    },
    apply('the status of a missing Service', `${services}/s/status`, 'v1', 'Service', {
      metadata: { name: 's' },
      spec: { ports: [{ port: 80 }] },
    }),
    put('and with an update', `${services}/u/status`, {
      metadata: { name: 'u' },
      spec: { ports: [{ port: 80 }] },
    }),
    apply('the status of a missing map', `${maps}/x/status`, 'v1', 'ConfigMap', { metadata: { name: 'x' } }),
    apply('the status of a missing pod', `${pods}/x/status`, 'v1', 'Pod', { metadata: { name: 'x' } }),
    apply(
      'the status of a missing policy',
      '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies/apply-owners/status',
      'admissionregistration.k8s.io/v1',
      'ValidatingAdmissionPolicy',
      { metadata: { name: 'apply-owners' } },
    ),
  ],
};
