import { expect, it } from 'vitest';
import { dns1123Label, dns1123Subdomain, labelValue, qualifiedName } from '../../../src/model/name-syntax.ts';
import { growthAtFourTimes, LINEAR_AT_FOUR_TIMES } from '../../support/processor-time.ts';

it.each(Object.entries({ dns1123Label, dns1123Subdomain, qualifiedName, labelValue }))(
  '%s is linear on a long wrong name',
  (_name, rule) => {
    const growth = growthAtFourTimes(500_000, (size) => {
      const long = `${'a-'.repeat(size)}!`;
      return () => rule(long);
    });
    expect(growth).toBeLessThan(LINEAR_AT_FOUR_TIMES);
  },
);
