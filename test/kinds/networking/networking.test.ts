import { describe, expect, it } from 'vitest';
import { strategiesOf } from '../../support/builtin-resources.ts';
import { created, defaulted, errorsOf, updated } from '../run-strategy.ts';

const strategies = strategiesOf('networking.k8s.io');

describe('network policies', () => {
  const strategy = strategies.networkpolicies!;
  const policyTypes = (spec: object): unknown =>
    (defaulted(strategy, { spec }).spec as { policyTypes: unknown }).policyTypes;

  it('defaults the policy types from the rules', () => {
    expect([{}, { ingress: [{}] }, { egress: [{}] }, { policyTypes: ['Egress'] }].map(policyTypes)).toEqual([
      ['Ingress'],
      ['Ingress'],
      ['Ingress', 'Egress'],
      ['Egress'],
    ]);
  });

  it.each([
    [
      { ingress: [{ from: [{ ipBlock: { cidr: 'x' } }] }] },
      [
        'spec.ingress[0].from[0].ipBlock.cidr: Invalid value: "x": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)',
      ],
    ],
    [{ egress: [{ to: [{}] }] }, ['spec.egress[0].to[0]: Required value: must specify a peer']],
    [
      {
        ingress: [
          {
            from: [
              {
                ipBlock: {
                  cidr: '192.0.2.0/24',
                  except: ['198.51.100.0/24', '192.0.2.0/24', '192.0.2.8/29'],
                },
              },
            ],
          },
        ],
      },
      [
        'spec.ingress[0].from[0].ipBlock.except[0]: Invalid value: "198.51.100.0/24": must be a strict subset of `cidr`',
        'spec.ingress[0].from[0].ipBlock.except[1]: Invalid value: "192.0.2.0/24": must be a strict subset of `cidr`',
      ],
    ],
    [
      { ingress: [{ from: [{ ipBlock: { cidr: '192.0.2.0/24' }, podSelector: {} }] }] },
      ['spec.ingress[0].from[0]: Forbidden: may not specify both ipBlock and another peer'],
    ],
    [
      { egress: [{ ports: [{ port: 10, endPort: 5 }] }] },
      ['spec.egress[0].ports[0].endPort: Invalid value: 10: must be greater than or equal to `port`'],
    ],
    [
      { egress: [{ ports: [{ endPort: 5 }] }] },
      [
        'spec.egress[0].ports[0].endPort: Invalid value: 5: may not be specified when `port` is not specified',
      ],
    ],
    [
      { policyTypes: ['Sideways'] },
      ['spec.policyTypes[0]: Unsupported value: "Sideways": supported values: "Ingress", "Egress"'],
    ],
  ])('validates the spec %j', (spec, expected) =>
    expect(errorsOf(strategy, { spec: { podSelector: {}, ...spec } })).toEqual(expected),
  );
});

describe('ingresses', () => {
  const strategy = strategies.ingresses!;
  const backend = { service: { name: 's', port: { number: 80 } } };
  const path = (more: object): object => ({
    rules: [{ http: { paths: [{ path: '/', pathType: 'Prefix', backend, ...more }] } }],
  });
  const at = 'spec.rules[0].http.paths[0]';

  it.each([
    ['a backend', { defaultBackend: backend }, []],
    [
      'nothing',
      {},
      [
        'spec: Invalid value: []networking.IngressRule(nil): either `defaultBackend` or `rules` must be specified',
      ],
    ],
    [
      'a resource',
      { defaultBackend: { resource: { apiGroup: 'example.test', kind: 'Bucket', name: 'b' } } },
      [],
    ],
    [
      'an empty backend',
      { defaultBackend: {} },
      ['spec.defaultBackend: Invalid value: "": resource or service backend is required'],
    ],
    [
      'two ports',
      { defaultBackend: { service: { name: 's', port: { number: 1, name: 'a' } } } },
      ['spec.defaultBackend: Invalid value: "": cannot set both port name & port number'],
    ],
    [
      'no port',
      { defaultBackend: { service: { name: 's' } } },
      ['spec.defaultBackend: Required value: port name or number is required'],
    ],
    [
      'no path type',
      path({ pathType: undefined }),
      [`${at}.pathType: Required value: pathType must be specified`],
    ],
    [
      'an unknown path type',
      path({ pathType: 'Regex' }),
      [
        `${at}.pathType: Unsupported value: "Regex": supported values: "Exact", "ImplementationSpecific", "Prefix"`,
      ],
    ],
    ['a relative path', path({ path: 'a' }), [`${at}.path: Invalid value: "a": must be an absolute path`]],
    [
      'doubled slashes',
      path({ path: '/a//b/..' }),
      [
        `${at}.path: Invalid value: "/a//b/..": must not contain '//'`,
        `${at}.path: Invalid value: "/a//b/..": cannot end with '/..'`,
      ],
    ],
    ['an implementation’s own path', path({ pathType: 'ImplementationSpecific', path: '/a//b' }), []],
    [
      'an address as host',
      { rules: [{ host: '192.0.2.1' }] },
      ['spec.rules[0].host: Invalid value: "192.0.2.1": must be a DNS name, not an IP address'],
    ],
    [
      'a wildcard',
      { rules: [{ host: '*.example.test' }], tls: [{ hosts: ['*.example.test'], secretName: 's' }] },
      [],
    ],
  ])('validates %s', (_what, spec, expected) => expect(errorsOf(strategy, { spec })).toEqual(expected));

  it('accepts class annotation and field when they agree', () => {
    const ingress = (annotation: string): object => ({
      metadata: { annotations: { 'kubernetes.io/ingress.class': annotation } },
      spec: { defaultBackend: backend, ingressClassName: 'a' },
    });
    expect(errorsOf(strategy, ingress('a'))).toEqual([]);
    expect(errorsOf(strategy, ingress('b'))).toHaveLength(1);
    const warningsOf = (object: object): readonly string[] =>
      strategy.warnings!(defaulted(strategy, object), undefined, undefined as never);
    expect(warningsOf(ingress('a'))).toEqual([]);
    expect(warningsOf({ ...ingress('a'), spec: { defaultBackend: backend } })).toEqual([
      `annotation "kubernetes.io/ingress.class" is deprecated, please use 'spec.ingressClassName' instead`,
    ]);
  });
});

describe('ingress classes', () => {
  const strategy = strategies.ingressclasses!;
  it.each([
    [{ controller: 'example.test/c' }, []],
    [{}, ['spec.controller: Required value']],
    [
      { controller: 'plain' },
      ['spec.controller: Invalid value: "plain": must be a domain-prefixed path (such as "acme.io/foo")'],
    ],
    [
      { controller: 'example.test/c', parameters: { kind: 'P', name: 'p', namespace: 'n' } },
      ["spec.parameters.namespace: Forbidden: `parameters.scope` is set to 'Cluster'"],
    ],
    [
      { controller: 'example.test/c', parameters: { kind: 'P', name: 'p', scope: 'Namespace' } },
      ["spec.parameters.namespace: Required value: `parameters.scope` is set to 'Namespace'"],
    ],
  ])('validates the spec %j', (spec, expected) => expect(errorsOf(strategy, { spec })).toEqual(expected));

  it('rejects a changed controller', () => {
    const { object: old } = created(strategy, { spec: { controller: 'example.test/c' } });
    expect(updated(strategy, { spec: { controller: 'example.test/d' } }, old).errors).toEqual([
      'spec.controller: Invalid value: "example.test/d": field is immutable',
    ]);
  });
});

it('requires the canonical address as the name of an IPAddress', () => {
  const { validateName } = strategies.ipaddresses!.metadata!;
  expect(['10.0.0.1', '2001:db8::1'].flatMap((name) => validateName!(name, false))).toEqual([]);
  expect(['010.0.0.1', '2001:DB8::1', 'x'].map((name) => validateName!(name, false).length)).toEqual([
    1, 1, 1,
  ]);
});

it('increments the generation of a network policy when ports become empty or are set', () => {
  const strategy = strategies.networkpolicies!;
  const policy = (rule: object) => defaulted(strategy, { spec: { podSelector: {}, egress: [rule] } });
  const changed = (rule: object): boolean => strategy.generationChanged!(policy(rule), policy({}));
  expect([{}, { ports: [] }, { ports: [{ port: 1 }] }].map(changed)).toEqual([false, true, true]);
});

it('validates service CIDRs on updates and suggests the canonical form', () => {
  const strategy = strategies.servicecidrs!;
  const { object: old } = created(strategy, { spec: { cidrs: ['10.0.0.0/24'] } });
  const after = (...cidrs: string[]): string[] => updated(strategy, { spec: { cidrs } }, old).errors;
  expect(after('10.0.0.0/24')).toEqual([]);
  expect(after()).toEqual([
    'spec.cidrs: Required value: at least one CIDR required',
    'spec.cidrs: Invalid value: []string{}: field is immutable',
  ]);
  expect(after('10.0.0.0/24x')[0]).toContain('bad bits after slash');
  expect(after('::ffff:10.0.0.0/104')).toHaveLength(1);
});

it('accepts one service CIDR, or one of each family', () => {
  const strategy = strategies.servicecidrs!;
  const cidrs = (...list: string[]): number => errorsOf(strategy, { spec: { cidrs: list } }).length;
  expect([
    cidrs('10.0.0.0/24'),
    cidrs('10.0.0.0/24', 'fd00::/112'),
    cidrs(),
    cidrs('10.0.0.1/24'),
    cidrs('10.0.0.0/24', '10.0.1.0/24'),
    cidrs('x'),
  ]).toEqual([0, 0, 1, 1, 1, 1]);
});
