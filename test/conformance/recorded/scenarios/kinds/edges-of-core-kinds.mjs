import { create, merge } from '../../helpers/dry-run.mjs';

const namespaced = (resource) => `/api/v1/namespaces/\${ns}/${resource}`;
const claims = namespaced('persistentvolumeclaims');
const claim = (spec) => ({
  metadata: { name: 'c' },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...spec },
});
const node = (name, more) => create(name, '/api/v1/nodes', { metadata: { name: 'kinds-edges' }, ...more });
const range = (min, max, ratio) => ({
  metadata: { name: 'l' },
  spec: {
    limits: [
      { type: 'Container', min: { cpu: min }, max: { cpu: max }, maxLimitRequestRatio: { cpu: ratio } },
    ],
  },
});

export default {
  title: 'Rules of core kinds that ordinary objects do not meet',
  namespace: true,
  setup: [
    {
      method: 'POST',
      path: namespaced('configmaps'),
      body: { metadata: { name: 'fixed' }, data: { a: 'b' }, immutable: true },
    },
    { method: 'POST', path: namespaced('limitranges'), body: range('1', '4', '3') },
    {
      method: 'POST',
      path: claims,
      body: {
        ...claim({}),
        metadata: { name: 'c', annotations: { 'volume.beta.kubernetes.io/storage-class': '' } },
      },
    },
  ],
  steps: [
    create(
      'an unknown access mode is no second one',
      claims,
      claim({ accessModes: ['ReadWriteOncePod', 'x'] }),
    ),
    create(
      'a data source in another namespace is dropped',
      claims,
      claim({ dataSourceRef: { kind: 'ConfigMap', name: 'x', namespace: 'y' } }),
    ),
    create(
      'an empty group differs from none',
      claims,
      claim({
        dataSource: { kind: 'PersistentVolumeClaim', name: 'x' },
        dataSourceRef: { apiGroup: '', kind: 'PersistentVolumeClaim', name: 'x' },
      }),
    ),
    merge('fields of a disabled feature in the status', `${claims}/c/status`, {
      status: {
        currentVolumeAttributesClassName: 'x',
        modifyVolumeStatus: { status: 'x' },
        capacity: { storage: '9223372036854775808' },
      },
    }),
    merge('a status update does not warn', `${claims}/c/status`, {
      status: { capacity: { storage: '1Gi' } },
    }),
    merge('a negative capacity', `${claims}/c/status`, {
      status: { capacity: { storage: '-1' }, allocatedResources: { x: '-1', storage: '-1' } },
    }),
    node('a malformed range and a good one', { spec: { podCIDRs: ['10.0.0.0/24', 'x'] } }),
    node('the path of a capacity', { status: { capacity: { cpu: '-1', 'example.test/gpu': '500m' } } }),
    node('a removed configuration and disabled features', {
      spec: { configSource: {} },
      status: { config: { error: 'x' }, features: { supplementalGroupsPolicy: true } },
    }),
    merge('an empty map is a change', `${namespaced('configmaps')}/fixed`, { binaryData: {} }),
    create('a ratio beyond an int64', namespaced('limitranges'), range('200m', '4', '9223372036854775808')),
    create('a maximum beyond an int64', namespaced('limitranges'), range('1', '9223372036854775808', '3')),
    merge('the whole metadata is validated', `${namespaced('limitranges')}/l`, {
      metadata: { generateName: 'a/b' },
    }),
    {
      name: 'a field selector without field and value',
      path: `${namespaced('configmaps')}?fieldSelector=%3D`,
    },
    { name: 'a selector without field', path: `${namespaced('configmaps')}?fieldSelector=%3Dx` },
  ],
};
