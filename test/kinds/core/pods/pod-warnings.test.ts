import { describe, expect, it } from 'vitest';
import { templateWarnings } from '../../../../src/kinds/core/pods/pod-warnings.ts';
import { podStrategy } from '../../../support/builtin-resources.ts';
import { contextOf, defaulted } from '../../run-strategy.ts';

const container = { name: 'c', image: 'i' };
const warn = (spec: object, metadata: object = {}): string[] =>
  podStrategy.warnings!(
    defaulted(podStrategy, {
      metadata: { name: 'p', ...metadata },
      spec: { containers: [container], ...spec },
    }),
    undefined,
    contextOf(),
  );

describe('pod warnings', () => {
  it.each<[string, string[], string[]]>([
    ['an ordinary pod', warn({}), []],
    [
      'a dotted name',
      warn({}, { name: 'a.b' }),
      [
        `metadata.name: this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is recommended: [must not contain dots]`,
      ],
    ],
    [
      'renamed labels',
      warn({ nodeSelector: { 'beta.kubernetes.io/os': 'linux' } }),
      ['spec.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; use "kubernetes.io/os" instead'],
    ],
    [
      'annotations without effect',
      warn({}, { annotations: { 'scheduler.alpha.kubernetes.io/critical-pod': '' } }),
      [
        'metadata.annotations[scheduler.alpha.kubernetes.io/critical-pod]: non-functional in v1.16+; use the "priorityClassName" field instead',
      ],
    ],
    [
      'overridden environment variables',
      warn({
        containers: [
          {
            ...container,
            env: [
              { name: 'A', value: '1' },
              { name: 'A', value: '2' },
              { name: 'A', value: '$(A)3' },
            ],
          },
        ],
      }),
      ['spec.containers[0].env[1]: hides previous definition of "A", which may be dropped when using apply'],
    ],
    [
      'duplicate ports',
      warn({ containers: [{ ...container, ports: [{ containerPort: 80 }, { containerPort: 80 }] }] }),
      ['spec.containers[0].ports[1]: duplicate port definition with spec.containers[0].ports[0]'],
    ],
    [
      'ambiguous host ports',
      warn({
        containers: [
          {
            ...container,
            ports: [
              { containerPort: 80, hostPort: 80, hostIP: '10.0.0.1' },
              { containerPort: 80, hostPort: 80 },
              { containerPort: 80 },
            ],
          },
        ],
      }),
      [
        'spec.containers[0].ports[1]: dangerously ambiguous port definition with spec.containers[0].ports[0]',
        'spec.containers[0].ports[2]: overlapping port definition with spec.containers[0].ports[0]',
        'spec.containers[0].ports[2]: overlapping port definition with spec.containers[0].ports[1]',
      ],
    ],
    [
      'deprecated volumes',
      warn({ volumes: [{ name: 'v', gitRepo: { repository: 'r' } }] }),
      ['spec.volumes[0].gitRepo: deprecated in v1.11'],
    ],
    [
      'overlapping file paths',
      warn({
        volumes: [
          {
            name: 'v',
            configMap: {
              name: 'm',
              items: [
                { key: 'a', path: 'x' },
                { key: 'b', path: 'x/y' },
              ],
            },
          },
        ],
      }),
      ['volume "v" (ConfigMap "m"): overlapping paths: "x/y" with "x"'],
    ],
    [
      'a config map without items after a token',
      warn({
        volumes: [
          {
            name: 'e',
            projected: {
              sources: [{ serviceAccountToken: { path: 'token' } }, { configMap: { name: 'm' } }],
            },
          },
        ],
      }),
      [
        'volume "e" (Projected): overlapping paths: "token" (ServiceAccountToken) with "token" (ServiceAccountToken)',
      ],
    ],
    [
      'fractional bytes',
      warn({ containers: [{ ...container, resources: { requests: { memory: '1500m' } } }] }),
      [
        'spec.containers[0].resources.requests[memory]: fractional byte value "1500m" is invalid, must be an integer',
      ],
    ],
    [
      'spread constraints without a selector',
      warn({
        topologySpreadConstraints: [{ maxSkew: 1, topologyKey: 'z', whenUnsatisfiable: 'DoNotSchedule' }],
      }),
      ['spec.topologySpreadConstraints[0].labelSelector: a null labelSelector results in matching no pod'],
    ],
    [
      'duplicate and empty pull secrets',
      warn({ imagePullSecrets: [{ name: 'a' }, {}, { name: 'a' }] }),
      [
        'spec.imagePullSecrets[2].name: duplicate name "a"',
        'spec.imagePullSecrets[1].name: invalid empty name ""',
      ],
    ],
  ])('returns warnings about %s', (_case, actual, expected) => {
    expect(actual).toEqual(expected);
  });

  it('prefixes warnings about a template with its path', () => {
    const template = { spec: { terminationGracePeriodSeconds: -1, containers: [container] } };
    const text =
      'spec.template.spec.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1';
    expect(templateWarnings(template, 'spec.template', contextOf())).toEqual([text]);
    expect(templateWarnings(undefined, 'spec.template', contextOf())).toEqual([]);
  });
});
