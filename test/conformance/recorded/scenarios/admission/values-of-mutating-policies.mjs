import { CRDS, definition, specOf, untilServed, version } from '../../helpers/definitions.mjs';
import { create } from '../../helpers/dry-run.mjs';

const base = '/apis/admissionregistration.k8s.io/v1alpha1';
const apiVersion = 'admissionregistration.k8s.io/v1alpha1';
const group = 'made.example.com';
const ns = 'c-values-of-mutating-policies';
const mades = `/apis/${group}/v1/namespaces/${ns}/mades`;
const made = definition(
  group,
  'Namespaced',
  { plural: 'mades', kind: 'Made' },
  version(
    'v1',
    specOf({
      type: 'object',
      properties: {
        text: { type: 'string' },
        number: { type: 'integer' },
        list: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
        map: { type: 'object', additionalProperties: { type: 'string' } },
        free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      },
    }),
  ),
);

const apply = (expression) => ({ patchType: 'ApplyConfiguration', applyConfiguration: { expression } });
const patch = (expression) => ({ patchType: 'JSONPatch', jsonPatch: { expression } });
const set = (path, value) => patch(`[JSONPatch{op: 'add', path: '${path}', value: ${value}}]`);
const spec = (fields) => apply(`Object{spec: Object.spec{${fields}}}`);
const free = (fields) => spec(`free: Object.spec.free{${fields}}`);

/** Mutations of custom objects. */
const VALUES = {
  'null-text': spec('text: null'),
  'null-number': spec('number: null'),
  'null-list': spec('list: null'),
  'null-spec': apply('Object{spec: null}'),
  'null-free': free('a: null'),
  'duration-text': spec("text: duration('90m')"),
  'time-text': spec("text: timestamp('2024-01-02T03:04:05.6Z')"),
  'bytes-number': spec("number: b'abc'"),
  'unsigned-number': spec('number: 5u'),
  'type-text': spec('text: type(1)'),
  'map-in-map': free("a: {'b': {'c': 'd'}}"),
  'map-of-object': free("a: {'b': object.spec.map}"),
  'list-of-objects': free("a: [Object.spec.free.a{b: 'c'}]"),
  'list-of-object': spec("list: object.spec.list + ['c']"),
  'patch-null': set('/spec/free', 'Object.spec.free{a: null}'),
  'patch-map': set('/spec/free', "Object.spec.free{a: {'b': 'c'}}"),
  'patch-nested': set('/spec/free', "{'a': {'b': [{'c': null}]}}"),
  'patch-bytes': set('/spec/free', "Object.spec.free{a: b'abc', b: 5u}"),
  'patch-large': set('/spec/free', "{'a': 9007199254740993, 'b': -9007199254740993, 'c': 9007199254740991}"),
  'patch-none': set('/spec/free', 'optional.none()'),
  'patch-labels': set('/metadata/labels', "'text'"),
  'patch-finalizers': set('/metadata/finalizers', "'text'"),
  'patch-name': set('/metadata/name', '5'),
};
/** Mutations of other kinds, each bound while it is used. */
const OTHERS = {
  scale: apply('Object{spec: Object.spec{replicas: 7}}'),
  'patched-scale': set('/spec/replicas', '8'),
  eviction: apply('Object{deleteOptions: Object.deleteOptions{gracePeriodSeconds: 5}}'),
  autoscaler: apply('Object{spec: Object.spec{maxReplicas: 9}}'),
};
const RULES = {
  scale: ['apps', 'v1', 'deployments/scale'],
  'patched-scale': ['apps', 'v1', 'deployments/scale'],
  eviction: ['', 'v1', 'pods/eviction'],
  autoscaler: ['autoscaling', 'v1', 'horizontalpodautoscalers'],
};

const policy = (name, [apiGroup, apiVersion_, resource], mutation, objectSelector = {}) => ({
  apiVersion,
  kind: 'MutatingAdmissionPolicy',
  metadata: { name: `${ns}-${name}` },
  spec: {
    reinvocationPolicy: 'Never',
    matchConstraints: {
      namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': ns } },
      objectSelector,
      resourceRules: [
        {
          apiGroups: [apiGroup],
          apiVersions: [apiVersion_],
          operations: ['CREATE', 'UPDATE'],
          resources: [resource],
        },
      ],
    },
    mutations: [mutation],
  },
});
const binding = (name) => ({
  apiVersion,
  kind: 'MutatingAdmissionPolicyBinding',
  metadata: { name: `${ns}-${name}` },
  spec: { policyName: `${ns}-${name}` },
});
const one = (name) => ({
  apiVersion: `${group}/v1`,
  kind: 'Made',
  metadata: { name: 'one', labels: { case: name } },
  spec: { list: ['a', 'b'], map: { k: 'v' } },
});
const pod = { metadata: { name: 'pod' }, spec: { containers: [{ name: 'c', image: 'i' }] } };
const deployment = {
  metadata: { name: 'deployment' },
  spec: {
    selector: { matchLabels: { a: 'b' } },
    template: { metadata: { labels: { a: 'b' } }, spec: pod.spec },
  },
};
const install = (name, rule, mutation, selector) => [
  { method: 'POST', path: `${base}/mutatingadmissionpolicies`, body: policy(name, rule, mutation, selector) },
  { method: 'POST', path: `${base}/mutatingadmissionpolicybindings`, body: binding(name) },
];
const autoscalers = (v) => `/apis/autoscaling/${v}/namespaces/${ns}/horizontalpodautoscalers`;
const autoscaler = {
  metadata: { name: 'one' },
  spec: { maxReplicas: 3, scaleTargetRef: { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' } },
};
const SCALE = {
  method: 'PATCH',
  path: `/apis/apps/v1/namespaces/${ns}/deployments/deployment/scale?dryRun=All`,
  contentType: 'application/merge-patch+json',
  body: { spec: { replicas: 2 } },
};
const EVICTION = {
  method: 'POST',
  path: `/api/v1/namespaces/${ns}/pods/pod/eviction?dryRun=All`,
  body: { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'pod' } },
};
const AUTOSCALERS = ['v1', 'v2'].map((v) => ({
  method: 'POST',
  path: `${autoscalers(v)}?dryRun=All`,
  body: autoscaler,
}));
const REQUESTS = {
  scale: [SCALE],
  'patched-scale': [SCALE],
  eviction: [EVICTION],
  autoscaler: AUTOSCALERS,
};
const ignore = ['/metadata/resourceVersion', '/metadata/uid'];
const isMutated = ({ status, body }) =>
  status >= 400 || body?.spec?.maxReplicas === 9 || body?.spec?.replicas > 6;

export default {
  title: 'Values that mutating policies make, and kinds that they cannot change',
  profile: 'mutating-policy',
  namespace: true,
  setup: [
    { method: 'POST', path: CRDS, body: made },
    untilServed(mades),
    { method: 'POST', path: `/api/v1/namespaces/${ns}/pods`, body: pod },
    { method: 'POST', path: `/apis/apps/v1/namespaces/${ns}/deployments`, body: deployment },
    ...Object.entries(VALUES).flatMap(([name, mutation]) =>
      install(name, [group, 'v1', 'mades'], mutation, { matchLabels: { case: name } }),
    ),
    ...install('last', [group, 'v1', 'mades'], spec("text: 'last'"), { matchLabels: { case: 'last' } }),
    async function untilActive(ctx) {
      const request = { method: 'POST', path: `${mades}?dryRun=All`, body: one('last') };
      await ctx.poll(request, ({ body }) => body.spec?.text === 'last');
      await ctx.sleep(1000);
    },
  ],
  steps: [
    ...Object.keys(VALUES).map((name) => ({ ...create(name, mades, one(name)), ignore })),
    ...Object.entries(OTHERS).flatMap(([name, mutation]) => [
      {
        name: `(install ${name})`,
        run: async (ctx) => {
          for (const request of install(name, RULES[name], mutation)) await ctx.request(request);
          await ctx.poll(REQUESTS[name][0], isMutated);
        },
      },
      ...REQUESTS[name].map((request) => ({ name, ...request, ignore })),
      {
        name: `(remove ${name})`,
        run: async (ctx) => {
          const path = `${base}/mutatingadmissionpolicybindings/${ns}-${name}`;
          await ctx.request({ method: 'DELETE', path });
          await ctx.poll(REQUESTS[name][0], (answer) => !isMutated(answer));
        },
      },
    ]),
  ],
};
