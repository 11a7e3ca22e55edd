import { describe, expect, it } from 'vitest';
import { scaleOf, validateScaleValues } from '../../../src/extensions/custom-resources/scale.ts';

const scale = {
  specReplicasPath: '.spec.pool.size',
  statusReplicasPath: '.status.pool.ready',
  labelSelectorPath: '.status.pool.sel',
};

describe('scale of a custom resource', () => {
  it('has the declared paths', () => {
    expect(scaleOf({ subresources: { scale } }, () => undefined)).toMatchObject({
      specPath: ['spec', 'pool', 'size'],
      statusPath: ['status', 'pool', 'ready'],
      declared: true,
    });
    expect(scaleOf({}, () => undefined)).toBeUndefined();
    expect(scaleOf({ subresources: { status: {} } }, () => undefined)).toBeUndefined();
  });

  it('has the selector as it is', () => {
    const { selector } = scaleOf({ subresources: { scale } }, () => undefined)!;
    expect(selector({ status: { pool: { sel: 'not a selector!!' } } })).toBe('not a selector!!');
    expect(selector({})).toBe('');
    expect(() => selector({ status: { pool: { sel: 1 } } })).toThrow('expected string');
    expect(() => selector({ spec: { pool: { size: 2n ** 70n } } })).toThrow(
      '.spec.pool.size accessor error: 1.1805916207174113e+21 is of the type float64, expected int64',
    );
    const without = { specReplicasPath: '.spec.n', statusReplicasPath: '.status.n' };
    expect(
      scaleOf({ subresources: { scale: without } }, () => undefined)!.selector({ status: { n: 1 } }),
    ).toBe('');
  });

  it.each([
    [{}, []],
    [{ spec: { pool: { size: 0 } }, status: { pool: { ready: 1, sel: 'a=b' } } }, []],
    [
      { spec: { pool: 'text' } },
      [
        '.spec.pool.size: Invalid value: 0: .spec.pool.size accessor error: text is of the type string, expected map[string]interface{}',
      ],
    ],
    [
      { spec: { pool: { size: -1 } } },
      ['.spec.pool.size: Invalid value: -1: should be a non-negative integer'],
    ],
    [
      { spec: { pool: { size: 3e9 } } },
      ['.spec.pool.size: Invalid value: 3000000000: should be less than or equal to 2147483647'],
    ],
    [
      { spec: { pool: { size: '5' } } },
      [
        '.spec.pool.size: Invalid value: 0: .spec.pool.size accessor error: 5 is of the type string, expected int64',
      ],
    ],
    [
      { status: { pool: { ready: -1 } } },
      ['.status.pool.ready: Invalid value: -1: should be a non-negative integer'],
    ],
    [
      { status: { pool: { sel: [] } } },
      [
        '.status.pool.sel: Invalid value: "": .status.pool.sel accessor error: [] is of the type []interface {}, expected string',
      ],
    ],
  ])('validates the values in %o', (object, expected) => {
    expect(validateScaleValues(scale, object).map(({ field, body }) => `${field}: ${body}`)).toEqual(
      expected,
    );
    expect(validateScaleValues(undefined, object)).toEqual([]);
  });
});
