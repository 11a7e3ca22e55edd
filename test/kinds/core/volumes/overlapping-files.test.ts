import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findingOverlaps } from '../../../../src/kinds/core/volumes/overlapping-files.ts';
import type { Volume } from '../../../../src/model/generated/core-v1.ts';
import { schemeOf } from '../../../../src/model/scheme.ts';
import { stepSizes } from '../../../../src/steps/sizes.ts';

function found(volumes: readonly Volume[]): { warnings: string[]; pauses: number } {
  const steps = findingOverlaps(volumes, schemeOf());
  for (let pauses = 0; ; pauses += 1) {
    const step = steps.next();
    if (step.done === true) return { warnings: step.value, pauses };
  }
}

const itemsOf = (paths: readonly string[]) => paths.map((path) => ({ key: 'k', path }));
const secret = (paths: readonly string[]): Volume => ({
  name: 'v',
  secret: { secretName: 's', items: itemsOf(paths) },
});

describe('warnings about overlapping files', () => {
  it('name each pair of which one is the other, or below it, once', () => {
    const path = fc.array(fc.constantFrom('a', 'b', 'ab'), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(fc.array(path, { maxLength: 6 }), (all) => {
        const paths = all.map((parts) => parts.join('/'));
        const expected = paths.flatMap((one, index) =>
          paths
            .slice(0, index)
            .filter((other) => `${one}/`.startsWith(`${other}/`) || `${other}/`.startsWith(`${one}/`))
            .map((other) => `volume "v" (Secret "s"): overlapping paths: "${one}" with "${other}"`),
        );
        expect(found([secret(paths)]).warnings).toEqual([...new Set(expected)]);
      }),
    );
  });

  it('end at a number of comparisons and of warnings, whatever the volumes', () => {
    const many = Array.from({ length: 2000 }, (_, index) => `a/${index}`);
    const { warnings, pauses } = found([secret(many), secret(['x', 'x/y'])]);
    expect([warnings.length, pauses]).toEqual([0, 262_144 / stepSizes.nodes]);
    // A source without items is compared with the files of the one before, again and again.
    const sources = [
      { secret: { name: 's', items: itemsOf(many.slice(0, 500)) } },
      ...many.map(() => ({ configMap: { name: 'm' } })),
    ];
    expect(found([{ name: 'v', projected: { sources } }]).warnings.length).toBeLessThanOrEqual(256);
    const chain = Array.from({ length: 200 }, (_, index) => 'a/'.repeat(index + 1));
    expect(found([secret(chain)]).warnings).toHaveLength(256);
  });
});
