import { CRDS, definition, untilServed, version } from '../../helpers/definitions.mjs';
import { patch, post } from '../../helpers/requests.mjs';

const group = 'owners.example.com';
const path = (version, name = '', query = '') =>
  `/apis/${group}/${version}/namespaces/default/owners${name && `/${name}`}${query}`;
const text = { type: 'string' };
const schemaOf = (spec) => ({
  type: 'object',
  properties: {
    spec: { type: 'object', properties: { replicas: { type: 'integer' }, ...spec } },
    status: { type: 'object', properties: { replicas: { type: 'integer' } } },
  },
});
const scale = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' };
const versionOf = (name, spec) => version(name, schemaOf(spec), { subresources: { status: {}, scale } });
const versions = [
  versionOf('v1', { a: text, keep: text }),
  versionOf('v2', { b: text, keep: text, set: { ...text, default: 'by v2' } }),
  versionOf('v3', { keep: text }),
];
const owner = (apiVersion, name, spec, metadata) => ({
  apiVersion: `${group}/${apiVersion}`,
  kind: 'Owner',
  metadata: { name, ...metadata },
  spec,
});
const conversion = {
  strategy: 'Webhook',
  webhook: {
    conversionReviewVersions: ['v1'],
    clientConfig: { url: '${hook}/convert/o%77ners', caBundle: '${hookCa}' },
  },
};
const owners = definition(group, 'Namespaced', { plural: 'owners', kind: 'Owner' }, ...versions);
owners.spec.conversion = conversion;

const converted = ({ objects, desiredAPIVersion }) =>
  objects.map(({ spec: { a, b, set, ...spec } = {}, ...rest }) => {
    const value = a ?? b;
    const member = { v1: 'a', v2: 'b' }[desiredAPIVersion.split('/')[1]];
    if (value !== undefined && member !== undefined) spec[member] = value;
    return { ...rest, apiVersion: desiredAPIVersion, spec };
  });
/** Answers with a review that `change` may edit. */
const answer = (change) => (review) => {
  const body = {
    apiVersion: review.apiVersion,
    kind: review.kind,
    response: {
      uid: review.request.uid,
      convertedObjects: converted(review.request),
      result: { status: 'Success' },
    },
  };
  return { body: change?.(body) ?? body };
};
const objects = (change) =>
  answer((body) => {
    for (const one of body.response.convertedObjects) change(one);
  });
const response = (fields) => answer((body) => ({ ...body, response: { ...body.response, ...fields } }));
const FAULTS = {
  'a failure': response({ result: { status: 'Failure', message: 'not today' } }),
  'no labels left': objects(({ metadata }) => {
    metadata.labels = {};
  }),
  'a hidden kind': objects((one) => {
    one.apiVersion = 'a/b/c';
    delete one.metadata.managedFields;
  }),
  'a number as apiVersion': objects((one) => {
    one.apiVersion = 2;
  }),
  'a status of another type': response({ result: { status: 1 } }),
  'a request of another type': answer((body) => ({ ...body, request: 'text' })),
  'another kind of its group': () => ({
    body: { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinitionList', items: [] },
  }),
  'a Status': () => ({ body: { apiVersion: 'v1', kind: 'Status', status: 'Failure', message: 'no' } }),
  'text as spec': objects((one) => {
    one.spec = 'text';
  }),
  'an array as status': objects((one) => {
    one.status = [1];
  }),
};

const behave = (how) => ({
  name: '(how the webhook answers)',
  run: async (ctx) => {
    ctx.environment.prepared.webhooks.converters.set('owners', how);
  },
});
const dry = (name, version, body, type) => ({
  ...patch(name, path(version, 'one', '?dryRun=All'), body, type),
  managedFields: 'keep',
});
const apply = (name, version, spec, query) => ({
  name,
  method: 'PATCH',
  path: path(version, 'one', query),
  contentType: 'application/apply-patch+yaml',
  body: owner(version, 'one', spec),
  managedFields: 'keep',
});

export default {
  title: 'Conversions that fail or lose fields: owners, last updates, scales, and texts',
  profile: 'extensions',
  setup: [
    behave(answer()),
    { method: 'POST', path: CRDS, body: owners },
    untilServed(path('v1'), path('v2'), path('v3')),
    post('create', path('v1'), owner('v1', 'one', { a: 'x', replicas: 1 }, { labels: { l: '1' } })),
    apply('apply', 'v2', { keep: 'k' }, '?fieldManager=two'),
  ],
  steps: [
    ...Object.entries(FAULTS).flatMap(([name, how]) => [
      behave(how),
      { name: `get: ${name}`, path: path('v2', 'one') },
      { name: `scale: ${name}`, path: `${path('v2', 'one')}/scale` },
      dry(`update in the stored version: ${name}`, 'v1', { spec: { a: 'y' } }),
    ]),
    behave(answer()),
    ...['put', 'merge', 'json'].flatMap((how) => [
      {
        ...post('create', path('v2'), owner('v2', how, { b: 'x' }, { finalizers: ['x.test/f'] })),
        ignore: ['/metadata'],
      },
      { name: 'delete', method: 'DELETE', path: path('v1', how), ignore: ['/metadata'] },
      {
        name: `the last update by ${how}`,
        run: async (ctx) => {
          const { body } = await ctx.request({ path: path('v2', how) });
          delete body.metadata.finalizers;
          body.spec.set = how;
          if (how === 'put') return ctx.request({ method: 'PUT', path: path('v2', how), body });
          const change =
            how === 'merge'
              ? { metadata: { finalizers: null }, spec: { b: 'new' } }
              : [{ op: 'remove', path: '/metadata/finalizers' }];
          return ctx.request(patch('', path('v2', how), change, how));
        },
      },
    ]),
    apply('owner by v3', 'v3', { keep: 'k' }, '?fieldManager=three&force=true'),
    {
      ...patch('without v3', `${CRDS}/owners.${group}`, { spec: { versions: versions.slice(0, 2) } }),
      ignore: ['/metadata', '/spec', '/status'],
    },
    {
      name: 'v3 is gone',
      run: async (ctx) => (await ctx.poll({ path: path('v3') }, ({ status }) => status === 404)).status,
    },
    apply('apply beside an owner by v3', 'v1', { a: 'x' }, '?fieldManager=one&dryRun=All'),
    apply('apply as the owner by v3', 'v2', { b: 'x' }, '?fieldManager=three&dryRun=All'),
    dry('an update removes owners', 'v1', { spec: { a: 'y' } }),
    dry('also one without a change', 'v2', {}),
  ],
};
