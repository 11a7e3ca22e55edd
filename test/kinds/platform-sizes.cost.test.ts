import { describe, expect, it } from 'vitest';
import type { Strategy } from '../../src/kinds/strategy.ts';
import { strategiesOf } from '../support/builtin-resources.ts';
import { growthAtFourTimes, LINEAR_AT_FOUR_TIMES } from '../support/processor-time.ts';
import { contextOf, defaulted, updated } from './run-strategy.ts';

const admissionregistration = strategiesOf('admissionregistration.k8s.io');
const apiextensions = strategiesOf('apiextensions.k8s.io');
const certificates = strategiesOf('certificates.k8s.io');
const flowcontrol = strategiesOf('flowcontrol.apiserver.k8s.io');
const internal = strategiesOf('internal.apiserver.k8s.io');
const node = strategiesOf('node.k8s.io');
const policy = strategiesOf('policy');
const resource = strategiesOf('resource.k8s.io');
const storage = strategiesOf('storage.k8s.io');

/** The smaller of two sizes; four times as many small elements fit a body of three megabytes. */
const MANY = 12_500;

const CASES: readonly (readonly [
  what: string,
  strategy: Strategy,
  make: (names: readonly string[]) => object,
])[] = [
  [
    'topology values',
    storage['storageclasses']!,
    (names) => ({ allowedTopologies: [{ matchLabelExpressions: [{ key: 'a', values: names }] }] }),
  ],
  [
    'topology terms',
    storage['storageclasses']!,
    (names) => ({
      allowedTopologies: names.map((key) => ({ matchLabelExpressions: [{ key, values: ['a'] }] })),
    }),
  ],
  [
    'drivers of a node',
    storage['csinodes']!,
    (names) => ({ spec: { drivers: names.map((name) => ({ name, nodeID: 'n', topologyKeys: [] })) } }),
  ],
  [
    'token requests',
    storage['csidrivers']!,
    (names) => ({ spec: { tokenRequests: names.map((audience) => ({ audience })) } }),
  ],
  [
    'tolerations',
    node['runtimeclasses']!,
    (names) => ({
      handler: 'h',
      scheduling: { tolerations: names.map((key) => ({ key, operator: 'Exists' })) },
    }),
  ],
  [
    'conditions of a budget',
    policy['poddisruptionbudgets']!,
    (names) => ({ status: { conditions: names.map((type) => ({ type, status: 'True' })) } }),
  ],
  [
    'conditions of a level',
    flowcontrol['prioritylevelconfigurations']!,
    (names) => ({ spec: { type: 'Limited' }, status: { conditions: names.map((type) => ({ type })) } }),
  ],
  [
    'usages',
    certificates['certificatesigningrequests']!,
    (names) => ({ spec: { usages: names, signerName: 'a.b/c', request: '' } }),
  ],
  [
    'beginnings of certificates',
    certificates['certificatesigningrequests']!,
    (names) => ({ spec: { request: btoa('-----BEGIN X-----\n'.repeat(names.length)) } }),
  ],
  [
    'header lines',
    certificates['clustertrustbundles']!,
    (names) => ({
      spec: { trustBundle: `-----BEGIN C-----\n${'a: b\r\n'.repeat(names.length)}-----END C-----\n` },
    }),
  ],
  [
    'webhooks',
    admissionregistration['validatingwebhookconfigurations']!,
    (names) => ({ webhooks: names.map((name) => ({ name: `${name}.a.b` })) }),
  ],
  [
    'names in a rule',
    admissionregistration['validatingadmissionpolicies']!,
    (names) => ({ spec: { matchConstraints: { resourceRules: [{ resourceNames: names }] } } }),
  ],
  [
    'variables',
    admissionregistration['validatingadmissionpolicies']!,
    (names) => ({ spec: { variables: names.map((name) => ({ name, expression: '1' })) } }),
  ],
  [
    'servers of a storage version',
    internal['storageversions']!,
    (names) => ({ status: { storageVersions: names.map((apiServerID) => ({ apiServerID })) } }),
  ],
  [
    'requests of a claim',
    resource['resourceclaims']!,
    (names) => ({
      spec: { devices: { requests: names.map((name) => ({ name })), constraints: [{ requests: names }] } },
    }),
  ],
  [
    'devices',
    resource['resourceslices']!,
    (names) => ({ spec: { devices: names.map((name) => ({ name, basic: {} })) } }),
  ],
  [
    'versions of a definition',
    apiextensions['customresourcedefinitions']!,
    (names) => ({ spec: { versions: names.map((name) => ({ name, served: true })) } }),
  ],
];

describe('validation of many small elements', () => {
  it.each(CASES)('takes linear time: %s', (_what, strategy, make) => {
    const growth = growthAtFourTimes(MANY, (size) => {
      const object = make(Array.from({ length: size }, (_, index) => `n${index}`));
      return () => {
        const context = contextOf({ version: Object.keys(strategy.defaulting?.byVersion ?? {})[0] ?? 'v1' });
        const whole = defaulted(strategy, object, context.version);
        strategy.validate?.(whole, context);
        updated(strategy, object, whole, context);
        for (const validate of Object.values(strategy.validateSubresource ?? {}))
          validate(whole, whole, context);
      };
    });
    expect(growth).toBeLessThan(LINEAR_AT_FOUR_TIMES);
  });
});
