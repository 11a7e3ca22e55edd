import { describe, expect, it } from 'vitest';
import { endpointsStrategy } from '../../../src/kinds/core/endpoints.ts';
import type { KubernetesObject } from '../../../src/model/object.ts';
import { strategiesOf } from '../../support/builtin-resources.ts';
import { contextOf, created, defaulted, errorsOf, updated } from '../run-strategy.ts';

const strategies = strategiesOf('discovery.k8s.io');

const LOOPBACK = 'may not be in the loopback range (127.0.0.0/8, ::1/128)';

describe('endpoints', () => {
  it.each([
    [{ subsets: [{ addresses: [{ ip: '192.0.2.1' }], ports: [{ port: 80 }] }] }, []],
    [{ subsets: [{}] }, ['subsets[0]: Required value: must specify `addresses` or `notReadyAddresses`']],
    [
      { subsets: [{ addresses: [{ ip: '127.0.0.1' }] }] },
      [`subsets[0].addresses[0].ip: Invalid value: "127.0.0.1": ${LOOPBACK}`],
    ],
    [
      { subsets: [{ notReadyAddresses: [{ ip: 'abc' }] }] },
      [
        'subsets[0].notReadyAddresses[0].ip: Invalid value: "abc": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
        'subsets[0].notReadyAddresses[0].ip: Invalid value: "abc": must be a valid IP address',
      ],
    ],
    [
      { subsets: [{ addresses: [{ ip: '192.0.2.1' }], ports: [{ port: 1 }, { port: 2 }] }] },
      ['subsets[0].ports[0].name: Required value', 'subsets[0].ports[1].name: Required value'],
    ],
    [
      { subsets: [{ addresses: [{ ip: 'ff02::1' }] }] },
      [
        'subsets[0].addresses[0].ip: Invalid value: "ff02::1": may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)',
      ],
    ],
  ])('validates %j', (object, expected) => expect(errorsOf(endpointsStrategy, object)).toEqual(expected));

  it('keeps stored values that violate newer rules', () => {
    const old = defaulted(endpointsStrategy, { subsets: [{}] });
    expect(
      updated(endpointsStrategy, { subsets: [{}], metadata: { labels: { a: 'b' } } }, old).errors,
    ).toEqual([]);
  });
});

describe('endpoint slices', () => {
  const strategy = strategies.endpointslices!;
  const slice = (more: object): object => ({ addressType: 'IPv4', endpoints: [], ...more });

  it.each([
    [{ endpoints: [{ addresses: ['192.0.2.1'] }], ports: [{ port: 80 }] }, []],
    [{ addressType: undefined }, ['addressType: Required value']],
    [
      { addressType: 'IPv5' },
      ['addressType: Unsupported value: "IPv5": supported values: "FQDN", "IPv4", "IPv6"'],
    ],
    [{ endpoints: [{}] }, ['endpoints[0].addresses: Required value: must contain at least 1 address']],
    [
      { endpoints: [{ addresses: ['2001:db8::1'] }] },
      ['endpoints[0].addresses[0]: Invalid value: "2001:db8::1": must be a valid IPv4 address'],
    ],
    [
      { endpoints: [{ addresses: ['127.0.0.1'] }] },
      [`endpoints[0].addresses[0]: Invalid value: "127.0.0.1": ${LOOPBACK}`],
    ],
    [
      { endpoints: [{ addresses: Array.from({ length: 101 }, () => '192.0.2.1') }] },
      ['endpoints[0].addresses: Too many: 101: must have at most 100 items'],
    ],
    [{ ports: [{}, {}] }, ['ports[1].name: Duplicate value: ""']],
    [
      { endpoints: [{ addresses: ['192.0.2.1'], hints: { forZones: [{ name: 'z' }, { name: 'z' }] } }] },
      ['endpoints[0].hints.forZones[1].name: Duplicate value: "z"'],
    ],
  ])('validates %j', (more, expected) => expect(errorsOf(strategy, slice(more))).toEqual(expected));

  it('drops the topology that v1 lacks', () => {
    const { object, errors } = created(
      strategy,
      slice({
        endpoints: [{ addresses: ['192.0.2.1'], deprecatedTopology: { 'kubernetes.io/hostname': 'n' } }],
      }),
    );
    expect([object.endpoints, errors]).toEqual([[{ addresses: ['192.0.2.1'] }], []]);
  });

  const generationAfter = (object: KubernetesObject, old: KubernetesObject): number | undefined => {
    const copy = { ...object, metadata: { ...object.metadata, generation: 1 } };
    strategy.prepareForUpdate!(copy, { ...old, metadata: { ...old.metadata, generation: 1 } }, contextOf());
    return copy.metadata.generation;
  };

  it('increments the generation when topology is dropped', () => {
    const endpoints = [{ addresses: ['192.0.2.1'] }];
    const sent = slice({ endpoints: [{ addresses: ['192.0.2.1'], deprecatedTopology: { rack: 'r' } }] });
    expect(generationAfter(defaulted(strategy, sent), defaulted(strategy, slice({ endpoints })))).toBe(2);
  });

  it('accepts any zone and port; warns of host names on creation only', () => {
    const { errors } = created(
      strategy,
      slice({ endpoints: [{ addresses: ['192.0.2.1'], zone: 'Bad Value!' }], ports: [{ port: -1 }] }),
    );
    expect(errors).toEqual([]);
    const named = defaulted(strategy, slice({ addressType: 'FQDN' }));
    expect(strategy.warnings!(named, undefined, contextOf())).toHaveLength(1);
    expect(strategy.warnings!(named, named, contextOf())).toEqual([]);
  });

  it('keeps the generation when conditions are empty', () => {
    const endpoint = (more: object) =>
      defaulted(strategy, slice({ endpoints: [{ addresses: ['192.0.2.1'], ...more }] }));
    expect(generationAfter(endpoint({ conditions: {} }), endpoint({}))).toBe(1);
    expect(generationAfter(endpoint({ conditions: { ready: false } }), endpoint({}))).toBe(2);
  });

  it('increments the generation when endpoints or labels change', () => {
    const old = defaulted(strategy, slice({}));
    const changed = (more: object): boolean => generationAfter(defaulted(strategy, slice(more)), old) === 2;
    expect(
      [
        {},
        { endpoints: undefined },
        { metadata: { annotations: { a: 'b' } } },
        { metadata: { labels: { a: 'b' } } },
        { ports: [{ port: 1 }] },
      ].map(changed),
    ).toEqual([false, false, false, true, true]);
  });
});
