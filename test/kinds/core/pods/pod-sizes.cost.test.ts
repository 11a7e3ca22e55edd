import { describe, expect, it } from 'vitest';
import {
  validateObjectMeta,
  validateObjectMetaUpdate,
} from '../../../../src/kinds/validation/object-meta.ts';
import { errors, MAXIMUM_FIELD_ERRORS } from '../../../../src/status/index.ts';
import { podStrategy } from '../../../support/builtin-resources.ts';
import { growthAtFourTimes, LINEAR_AT_FOUR_TIMES } from '../../../support/processor-time.ts';
import { contextOf, created, updated } from '../../run-strategy.ts';

/** The smaller list length; at four times the length a quadratic check is measurable. */
const MANY = 8000;
/** At four times the length, spreading the list as arguments would overflow the stack. */
const VERY_MANY = 33_000;
type Repeat = <T>(make: (index: number) => T, count?: number) => T[];
const container = { name: 'c', image: 'i' };

/** Expects that the time grows linearly with the list length. */
function expectLinear(prepare: (many: Repeat) => () => void): void {
  const growth = growthAtFourTimes(1, (factor) =>
    prepare((make, count = MANY) => Array.from({ length: count * factor }, (_, index) => make(index))),
  );
  expect(growth).toBeLessThan(LINEAR_AT_FOUR_TIMES);
}

describe('cost of large pods', () => {
  it.each<[string, (many: Repeat) => object]>([
    ['tolerations', (many) => ({ tolerations: many((index) => ({ key: `k${index}`, operator: 'Exists' })) })],
    ['invalid tolerations', (many) => ({ tolerations: many(() => ({}), VERY_MANY) })],
    [
      'host aliases',
      (many) => ({ hostAliases: many((index) => ({ ip: `10.0.${index >> 8}.${index & 255}` })) }),
    ],
    [
      'ports with the same number',
      (many) => ({ containers: [{ ...container, ports: many(() => ({ containerPort: 80 })) }] }),
    ],
    [
      'ports with the same name',
      (many) => ({ containers: [{ ...container, ports: many(() => ({ containerPort: 80, name: 'a' })) }] }),
    ],
    [
      'environment variables',
      (many) => ({ containers: [{ ...container, env: many((index) => ({ name: `A${index % 1000}` })) }] }),
    ],
    [
      'mounts and devices of unknown volumes',
      (many) => ({
        containers: [
          {
            ...container,
            volumeMounts: many((index) => ({ name: `${index}` })),
            volumeDevices: many((index) => ({ name: `d${index}` })),
          },
        ],
      }),
    ],
    [
      'files in one directory',
      (many) => ({
        volumes: [
          { name: 'v', configMap: { name: 'm', items: many((index) => ({ key: 'k', path: `a/${index}` })) } },
        ],
      }),
    ],
    [
      'invalid files',
      (many) => ({
        volumes: [
          {
            name: 'v',
            projected: { sources: [{ secret: { name: 's', items: many(() => ({}), VERY_MANY) } }] },
          },
        ],
      }),
    ],
  ])('validates in linear time: %s', (_case, specOf) => {
    expectLinear((many) => {
      const spec = specOf(many);
      return () => {
        const { object } = created(podStrategy, { spec: { containers: [container], ...spec } });
        podStrategy.warnings!(object, undefined, contextOf());
        updated(podStrategy, object, object);
      };
    });
  });

  it('limits the errors about many controllers', () => {
    expectLinear((many) => {
      const ownerReferences = many((index) => ({
        apiVersion: 'v1',
        kind: 'Pod',
        name: `p${index}`,
        uid: `${index}`,
        controller: true,
      }));
      const count = ownerReferences.length;
      return () => {
        const problems = validateObjectMeta(
          { name: 'p', namespace: 'n', ownerReferences },
          { namespaced: true },
        );
        expect(problems).toHaveLength(count - 1);
        const { message, details } = errors.invalid({ group: '', kind: 'Pod' }, 'p', problems);
        const shown = details!.causes!.length;
        expect(shown).toBeLessThan(20);
        const others =
          count > MAXIMUM_FIELD_ERRORS ? `more than ${MAXIMUM_FIELD_ERRORS - 1 - shown}` : count - 1 - shown;
        expect(message).toContain(`and ${others} more errors`);
      };
    });
  });

  it('validates large metadata in linear time', () => {
    expectLinear((many) => {
      const finalizers = many((index) => `example.test/${index}`);
      const labels = Object.fromEntries(finalizers.map((name) => [`${name} `, ' ']));
      return () => {
        validateObjectMeta({ name: 'p', namespace: 'n', finalizers, labels }, { namespaced: true });
        validateObjectMetaUpdate(
          { name: 'p', finalizers },
          { name: 'p', finalizers: [...finalizers].reverse(), deletionTimestamp: '2020-01-01T00:00:00Z' },
          { namespaced: false, checks: ['change', 'whole'] },
        );
      };
    });
  });
});
