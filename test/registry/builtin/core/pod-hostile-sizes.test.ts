import { describe, expect, it } from 'vitest';
import { podStrategy } from '../../../../src/registry/builtin/core/pod-strategy.ts';
import { validateObjectMeta, validateObjectMetaUpdate } from '../../../../src/registry/validation/object-meta.ts';
import { errors } from '../../../../src/status/index.ts';
import { processorTime } from '../../../support/processor-time.ts';
import { contextOf, created, updated } from '../play.ts';

/** Enough for a quadratic check to show. */
const MANY = 30_000;
/** More than fit the stack as arguments. */
const VERY_MANY = 130_000;
const many = <T>(make: (index: number) => T, count = MANY): T[] => Array.from({ length: count }, (_, index) => make(index));
const container = { name: 'c', image: 'i' };

const within = (milliseconds: number, run: () => void): void => expect(processorTime(run)).toBeLessThan(milliseconds);

describe('pods with lists as long as a body allows', () => {
  it.each<[string, object]>([
    ['tolerations', { tolerations: many((index) => ({ key: `k${index}`, operator: 'Exists' })) }],
    ['wrong tolerations', { tolerations: many(() => ({}), VERY_MANY) }],
    ['host aliases', { hostAliases: many((index) => ({ ip: `10.0.${index >> 8}.${index & 255}` })) }],
    ['ports of one number', { containers: [{ ...container, ports: many(() => ({ containerPort: 80 })) }] }],
    ['ports of one name', { containers: [{ ...container, ports: many(() => ({ containerPort: 80, name: 'a' })) }] }],
    ['variables', { containers: [{ ...container, env: many((index) => ({ name: `A${index % 1000}` })) }] }],
    [
      'mounts and devices of nothing',
      {
        containers: [
          { ...container, volumeMounts: many((index) => ({ name: `${index}` }), 20_000), volumeDevices: many((index) => ({ name: `d${index}` }), 20_000) },
        ],
      },
    ],
    ['overlapping files', { volumes: [{ name: 'v', configMap: { name: 'm', items: many((index) => ({ key: 'k', path: `a/${index}` })) } }] }],
    ['wrong files', { volumes: [{ name: 'v', projected: { sources: [{ secret: { name: 's', items: many(() => ({}), VERY_MANY) } }] } }] }],
  ])('are judged without a long wait: %s', (_what, spec) => {
    within(8000, () => {
      const { object } = created(podStrategy, { spec: { containers: [container], ...spec } });
      podStrategy.warnings!(object, undefined, contextOf());
      updated(podStrategy, object, object);
    });
  });

  it('say once, and shortly, that they have too many controllers', () => {
    const ownerReferences = many((index) => ({ apiVersion: 'v1', kind: 'Pod', name: `p${index}`, uid: `${index}`, controller: true }));
    within(8000, () => {
      const problems = validateObjectMeta({ name: 'p', namespace: 'n', ownerReferences }, { namespaced: true });
      expect(problems).toHaveLength(MANY - 1);
      const { message, details } = errors.invalid({ group: '', kind: 'Pod' }, 'p', problems);
      expect(details!.causes).toHaveLength(1);
      expect(message).toContain(`and ${MANY - 2} more errors`);
    });
  });

  it('have metadata of any size', () => {
    const finalizers = many((index) => `example.test/${index}`);
    const labels = Object.fromEntries(finalizers.map((name) => [`${name} `, ' ']));
    within(8000, () => {
      validateObjectMeta({ name: 'p', namespace: 'n', finalizers, labels }, { namespaced: true });
      validateObjectMetaUpdate(
        { name: 'p', finalizers },
        { name: 'p', finalizers: [...finalizers].reverse(), deletionTimestamp: '2020-01-01T00:00:00Z' },
        { namespaced: false, whole: true },
      );
    });
  });
});
