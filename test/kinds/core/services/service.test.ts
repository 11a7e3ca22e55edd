import { describe, expect, it } from 'vitest';
import { serviceStrategy } from '../../../../src/kinds/core/services/service.ts';
import type { StrategyContext } from '../../../../src/kinds/strategy.ts';
import { RULES } from '../../../support/rule-context.ts';
import { created, defaulted, errorsOf, updated } from '../../run-strategy.ts';

const ports = [{ port: 80 }];
const allocated = {
  clusterIP: '10.96.0.7',
  clusterIPs: ['10.96.0.7'],
  ipFamilies: ['IPv4'],
  ipFamilyPolicy: 'SingleStack',
};
const service = (spec: object): object => ({ spec: { ...allocated, ports, ...spec } });
const without = {
  clusterIP: undefined,
  clusterIPs: undefined,
  ipFamilies: undefined,
  ipFamilyPolicy: undefined,
};

describe('defaults of Services', () => {
  it.each([
    [
      { ports },
      {
        type: 'ClusterIP',
        sessionAffinity: 'None',
        internalTrafficPolicy: 'Cluster',
        ports: [{ port: 80, protocol: 'TCP', targetPort: 80 }],
      },
    ],
    [{ type: 'NodePort' }, { externalTrafficPolicy: 'Cluster', internalTrafficPolicy: 'Cluster' }],
    [{ type: 'LoadBalancer' }, { externalTrafficPolicy: 'Cluster', allocateLoadBalancerNodePorts: true }],
    [{ externalIPs: ['198.51.100.7'] }, { externalTrafficPolicy: 'Cluster' }],
    [{ sessionAffinity: 'ClientIP' }, { sessionAffinityConfig: { clientIP: { timeoutSeconds: 10_800 } } }],
    [
      { sessionAffinity: 'ClientIP', sessionAffinityConfig: { clientIP: { timeoutSeconds: 5 } } },
      { sessionAffinityConfig: { clientIP: { timeoutSeconds: 5 } } },
    ],
  ])('defaults %j', (spec, expected) =>
    expect(defaulted(serviceStrategy, { spec }).spec).toMatchObject(expected),
  );

  it('drops sessionAffinityConfig for session affinity None', () => {
    const spec = defaulted(serviceStrategy, {
      spec: { sessionAffinityConfig: { clientIP: { timeoutSeconds: 5 } } },
    }).spec;
    expect(spec).not.toHaveProperty('sessionAffinityConfig');
  });

  it('sets no traffic policy for ExternalName', () => {
    expect(
      defaulted(serviceStrategy, { spec: { type: 'ExternalName', externalName: 'e.test' } }).spec,
    ).toEqual({
      type: 'ExternalName',
      externalName: 'e.test',
      sessionAffinity: 'None',
    });
  });

  it('is idempotent', () => {
    const object = defaulted(serviceStrategy, service({ type: 'LoadBalancer', sessionAffinity: 'ClientIP' }));
    expect(defaulted(serviceStrategy, object)).toEqual(object);
  });
});

describe('validation of Services', () => {
  it.each([
    ['a valid Service', {}, []],
    ['no ports', { ports: [] }, ['spec.ports: Required value']],
    [
      'ports without names',
      { ports: [{ port: 1 }, { port: 2 }] },
      ['spec.ports[0].name: Required value', 'spec.ports[1].name: Required value'],
    ],
    [
      'a duplicate port',
      {
        ports: [
          { port: 1, name: 'a' },
          { port: 1, name: 'b' },
        ],
      },
      [
        'spec.ports[1]: Duplicate value: core.ServicePort{Name:"", Protocol:"TCP", AppProtocol:(*string)(nil), Port:1, TargetPort:intstr.IntOrString{Type:0, IntVal:0, StrVal:""}, NodePort:0}',
      ],
    ],
    [
      'an unknown protocol',
      { ports: [{ port: 1, protocol: 'ICMP' }] },
      ['spec.ports[0].protocol: Unsupported value: "ICMP": supported values: "SCTP", "TCP", "UDP"'],
    ],
    [
      'a node port on ClusterIP',
      { ports: [{ port: 1, nodePort: 30_001 }] },
      ["spec.ports[0].nodePort: Forbidden: may not be used when `type` is 'ClusterIP'"],
    ],
    [
      'a headless NodePort',
      { type: 'NodePort', clusterIP: 'None', clusterIPs: ['None'] },
      [`spec.clusterIPs[0]: Invalid value: "None": may not be set to 'None' for NodePort services`],
    ],
    [
      'an external name without a name',
      { ...without, type: 'ExternalName' },
      ['spec.externalName: Required value'],
    ],
    [
      'an external name with families',
      { ...without, type: 'ExternalName', externalName: 'e.test', ipFamilies: ['IPv4'] },
      ['spec.ipFamilies: Forbidden: may not be set for ExternalName services'],
    ],
    [
      'an unused traffic policy',
      { externalTrafficPolicy: 'Local' },
      [
        'spec.externalTrafficPolicy: Invalid value: "Local": may only be set for externally-accessible services',
      ],
    ],
    [
      'a class on ClusterIP',
      { loadBalancerClass: 'a/b' },
      ["spec.loadBalancerClass: Forbidden: may only be used when `type` is 'LoadBalancer'"],
    ],
    [
      'a zero affinity timeout',
      { sessionAffinity: 'ClientIP', sessionAffinityConfig: { clientIP: { timeoutSeconds: 0 } } },
      [
        'spec.sessionAffinityConfig.clientIP.timeoutSeconds: Invalid value: 0: must be greater than 0 and less than 86400',
      ],
    ],
    [
      'a loopback external address',
      { externalIPs: ['127.0.0.1'] },
      [
        'spec.externalIPs[0]: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128)',
      ],
    ],
    [
      'malformed source ranges',
      { type: 'LoadBalancer', loadBalancerSourceRanges: ['x'] },
      [
        'spec.LoadBalancerSourceRanges[0]: Invalid value: "x": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)',
      ],
    ],
    [
      'the kubelet port',
      { type: 'LoadBalancer', ports: [{ port: 10_250 }] },
      [
        'spec.ports[0]: Invalid value: 10250: may not expose port 10250 externally since it is used by kubelet',
      ],
    ],
    [
      'an unknown distribution',
      { trafficDistribution: 'Near' },
      ['spec.trafficDistribution: Unsupported value: "Near": supported values: "PreferClose"'],
    ],
    [
      'clusterIP and clusterIPs that differ',
      { clusterIPs: ['10.96.0.8'] },
      ['spec.clusterIPs: Invalid value: []string{"10.96.0.8"}: first value must match `clusterIP`'],
    ],
  ])('validates %s', (_case, spec, expected) =>
    expect(errorsOf(serviceStrategy, service(spec))).toEqual(expected),
  );

  it.each([
    [
      'another primary address',
      { clusterIP: '10.96.0.8', clusterIPs: ['10.96.0.8'] },
      ['spec.clusterIPs[0]: Invalid value: []string{"10.96.0.8"}: may not change once set'],
    ],
    [
      'another primary family',
      { ipFamilies: ['IPv6', 'IPv4'] },
      ['spec.ipFamilies[0]: Invalid value: []core.IPFamily{"IPv6", "IPv4"}: may not change once set'],
    ],
    ['an omitted address, which is kept', { clusterIP: undefined, clusterIPs: undefined }, []],
  ])('validates an update to %s', (_case, spec, expected) => {
    const old = created(serviceStrategy, service({})).object;
    expect(
      updated(serviceStrategy, service(spec), old).errors.filter(
        (text) => text.includes('once set') || expected.length === 0,
      ),
    ).toEqual(expected);
  });

  it('rejects load balancer status unless the type is LoadBalancer', () => {
    const old = created(serviceStrategy, service({})).object;
    const status = { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } };
    const statusErrors = (spec: object): string[] => {
      const object = defaulted(serviceStrategy, { ...service(spec), status });
      return (serviceStrategy.validateSubresource!.status!(object, old, RULES as StrategyContext) ?? []).map(
        ({ field, body }) => `${field}: ${body}`,
      );
    };
    expect(statusErrors({})).toEqual([
      "status.loadBalancer.ingress: Forbidden: may only be used when `spec.type` is 'LoadBalancer'",
    ]);
    expect(statusErrors({ type: 'LoadBalancer' })).toEqual([]);
  });
});

it('clears the load balancer status when the type is no longer LoadBalancer', () => {
  const status = { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } };
  const statusAfter = (type: string): unknown => {
    const object = defaulted(serviceStrategy, { ...service({ type }), status });
    serviceStrategy.canonicalize!(object);
    return object.status;
  };
  expect(statusAfter('LoadBalancer')).toMatchObject(status);
  expect(statusAfter('ClusterIP')).toEqual({ loadBalancer: {} });
});

it('warns about non-canonical addresses', () => {
  const warnings = (spec: object): string[] =>
    serviceStrategy.warnings!(defaulted(serviceStrategy, service(spec)), undefined, RULES as StrategyContext);
  expect(warnings({ externalIPs: ['010.1.1.1', '2001:DB8::0:1'], externalName: 'x.test' })).toEqual([
    'spec.externalIPs[0]: IP address was accepted, but will be invalid in a future Kubernetes release: ParseAddr("010.1.1.1"): IPv4 field has octet with leading zero',
    'spec.externalIPs[1]: IPv6 address "2001:DB8::0:1" is not in RFC 5952 canonical format ("2001:db8::1"), which may cause controller apply-loops',
    'spec.externalName is ignored when spec.type is not "ExternalName"',
  ]);
});
