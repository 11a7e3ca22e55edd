import { CRDS, definition, specOf, untilServed, version } from '../../helpers/definitions.mjs';

const floats = (version) => `/apis/floats.test/${version}/namespaces/\${ns}/floats`;
const number = { type: 'number' };
const spec = {
  type: 'object',
  'x-kubernetes-preserve-unknown-fields': true,
  properties: {
    n: number,
    i: { type: 'integer' },
    preset: { ...number, default: 2.0 },
    list: { type: 'array', items: number },
    text: { type: 'string' },
  },
};
const additionalPrinterColumns = [{ name: 'N', type: 'number', jsonPath: '.spec.n' }];
const floatsDefinition = definition(
  'floats.test',
  'Namespaced',
  { plural: 'floats', kind: 'Float' },
  ...['v1', 'v2'].map((name) => version(name, specOf(spec), { additionalPrinterColumns })),
);
const cbor = { accept: 'application/cbor' };
const one = `${floats('v1')}/one`;
const merge = { method: 'PATCH', contentType: 'application/merge-patch+json' };

export default {
  title:
    'Whole floats of custom objects: kept in CBOR through reads, patches, versions and watches; not in JSON',
  profile: 'alpha',
  namespace: true,
  needs: ['cbor'],
  setup: [{ method: 'POST', path: CRDS, body: floatsDefinition }, untilServed(floats('v1'), floats('v2'))],
  steps: [
    {
      name: 'create',
      method: 'POST',
      path: floats('v1'),
      contentType: 'application/json',
      body: '{"apiVersion":"floats.test/v1","kind":"Float","metadata":{"name":"one"},"spec":{"n":2.0,"i":3.0,"list":[1.0,1,1.5],"text":"5.0,6.0]","free":{"deep":[{"x":-4.0}],"e":12e2,"large":1e21}}}',
    },
    { name: 'read in JSON', path: one },
    { name: 'read in YAML', path: one, accept: 'application/yaml' },
    { name: 'read in CBOR', path: one, ...cbor },
    { name: 'read in another version', path: `${floats('v2')}/one`, ...cbor },
    { name: 'list', path: floats('v1'), ...cbor },
    { name: 'a table', path: floats('v1'), accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' },
    { name: 'a patch of something else', ...merge, path: one, body: { spec: { text: 'x' } }, ...cbor },
    { name: 'a patch of a float', ...merge, path: one, body: '{"spec":{"n":7.0,"free":{"e":5}}}', ...cbor },
    { name: 'read again', path: one, ...cbor },
    {
      name: 'apply',
      method: 'PATCH',
      path: `${one}?fieldManager=m&force=true`,
      contentType: 'application/apply-patch+yaml',
      body: '{"apiVersion":"floats.test/v1","kind":"Float","metadata":{"name":"one"},"spec":{"n":8.0}}',
      ...cbor,
    },
    { name: 'watch', path: `${floats('v1')}?watch=1&timeoutSeconds=2`, ...cbor, watch: { events: 1 } },
    { name: 'watch in JSON', path: `${floats('v1')}?watch=1&timeoutSeconds=2`, watch: { events: 1 } },
    {
      name: 'the same in CBOR',
      method: 'POST',
      path: floats('v1'),
      body: {
        cbor: {
          apiVersion: 'floats.test/v1',
          kind: 'Float',
          metadata: { name: 'two' },
          spec: { n: 2, list: [1, 2.5] },
        },
      },
      ...cbor,
    },
    {
      name: 'the definition',
      path: `${CRDS}/floats.floats.test`,
      ...cbor,
      ignore: ['/$cbor/value/status', '/$cbor/value/metadata'],
    },
  ],
};
