import { describe, expect, it } from 'vitest';
import { strategies as admissionregistration } from '../../../src/registry/builtin/admissionregistration/index.ts';
import { strategies as apiextensions } from '../../../src/registry/builtin/apiextensions/index.ts';
import { strategies as certificates } from '../../../src/registry/builtin/certificates/index.ts';
import { strategies as flowcontrol } from '../../../src/registry/builtin/flowcontrol/index.ts';
import { strategies as internal } from '../../../src/registry/builtin/internal/index.ts';
import { strategies as node } from '../../../src/registry/builtin/node/index.ts';
import { strategies as policy } from '../../../src/registry/builtin/policy/index.ts';
import { strategies as resource } from '../../../src/registry/builtin/resource/index.ts';
import { strategies as storage } from '../../../src/registry/builtin/storage/index.ts';
import type { Strategy } from '../../../src/registry/strategy.ts';
import { processorTime } from '../../support/processor-time.ts';
import { contextOf, defaulted, updated } from './play.ts';

/** As many small elements as a body of three megabytes holds; comparing each with each would take minutes. */
const MANY = 50_000;
const numbered = <T>(make: (index: number) => T): T[] => Array.from({ length: MANY }, (_, index) => make(index));
const names = numbered((index) => `n${index}`);
const LIMIT_MILLISECONDS = 6000;

const CASES: readonly (readonly [what: string, strategy: Strategy, object: object])[] = [
  ['topology values', storage['storageclasses']!, { allowedTopologies: [{ matchLabelExpressions: [{ key: 'a', values: names }] }] }],
  ['topology terms', storage['storageclasses']!, { allowedTopologies: names.map((key) => ({ matchLabelExpressions: [{ key, values: ['a'] }] })) }],
  ['drivers of a node', storage['csinodes']!, { spec: { drivers: names.map((name) => ({ name, nodeID: 'n', topologyKeys: [] })) } }],
  ['token requests', storage['csidrivers']!, { spec: { tokenRequests: names.map((audience) => ({ audience })) } }],
  ['tolerations', node['runtimeclasses']!, { handler: 'h', scheduling: { tolerations: names.map((key) => ({ key, operator: 'Exists' })) } }],
  ['conditions of a budget', policy['poddisruptionbudgets']!, { status: { conditions: names.map((type) => ({ type, status: 'True' })) } }],
  [
    'conditions of a level',
    flowcontrol['prioritylevelconfigurations']!,
    { spec: { type: 'Limited' }, status: { conditions: names.map((type) => ({ type })) } },
  ],
  ['usages', certificates['certificatesigningrequests']!, { spec: { usages: names, signerName: 'a.b/c', request: '' } }],
  ['beginnings of certificates', certificates['certificatesigningrequests']!, { spec: { request: btoa('-----BEGIN X-----\n'.repeat(MANY)) } }],
  ['header lines', certificates['clustertrustbundles']!, { spec: { trustBundle: `-----BEGIN C-----\n${'a: b\r\n'.repeat(MANY)}-----END C-----\n` } }],
  ['webhooks', admissionregistration['validatingwebhookconfigurations']!, { webhooks: names.map((name) => ({ name: `${name}.a.b` })) }],
  ['names in a rule', admissionregistration['validatingadmissionpolicies']!, { spec: { matchConstraints: { resourceRules: [{ resourceNames: names }] } } }],
  ['variables', admissionregistration['validatingadmissionpolicies']!, { spec: { variables: names.map((name) => ({ name, expression: '1' })) } }],
  ['servers of a storage version', internal['storageversions']!, { status: { storageVersions: names.map((apiServerID) => ({ apiServerID })) } }],
  [
    'requests of a claim',
    resource['resourceclaims']!,
    { spec: { devices: { requests: names.map((name) => ({ name })), constraints: [{ requests: names }] } } },
  ],
  ['devices', resource['resourceslices']!, { spec: { devices: names.map((name) => ({ name, basic: {} })) } }],
  ['versions of a definition', apiextensions['customresourcedefinitions']!, { spec: { versions: names.map((name) => ({ name, served: true })) } }],
];

describe('a body of many small parts is judged in time', () => {
  it.each(CASES)('%s', (_what, strategy, object) => {
    const spent = processorTime(() => {
      const context = contextOf({ version: Object.keys(strategy.defaults ?? {})[0] ?? 'v1' });
      const whole = defaulted(strategy, object, context.version);
      strategy.validate?.(whole, context);
      updated(strategy, object, whole, context);
      for (const validate of Object.values(strategy.validateSubresource ?? {})) validate(whole, whole, context);
    });
    expect(spent).toBeLessThan(LIMIT_MILLISECONDS);
  });
});

describe('schemas nested without end', () => {
  const definition = (depth: number) => {
    let schema: object = { type: 'object' };
    for (let level = 0; level < depth; level += 1) schema = { type: 'object', properties: { a: schema } };
    const names = { plural: 'as', kind: 'A', singular: 'a', listKind: 'AList' };
    return {
      metadata: { name: 'as.example.test' },
      spec: { group: 'example.test', scope: 'Cluster', names, versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }] },
      status: { storedVersions: ['v1'] },
    };
  };
  const strategy = apiextensions['customresourcedefinitions']!;

  it('are refused, not followed', () => {
    expect(strategy.validate!(definition(400), contextOf())).toEqual([]);
    expect(strategy.validate!(definition(20_000), contextOf())).toEqual([
      {
        type: 'FieldValueForbidden',
        field: 'spec.versions[0].schema.openAPIV3Schema',
        body: 'Forbidden: schemas must not be nested more than 500 levels deep',
      },
    ]);
  });
});
