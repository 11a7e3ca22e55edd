import { describe, expect, it } from 'vitest';
import {
  compareSemanticVersions,
  parseSemanticVersion,
} from '../../../src/kinds/validation/semantic-versions.ts';

describe('semantic versions', () => {
  it.each(['1.2.3', '0.0.0', '1.0.0-a.1.b-2', '1.0.0+b.01', '1.0.0-x+y', '18446744073709551615.0.0'])(
    'accepts %s',
    (text) => expect(parseSemanticVersion(text)).toBeDefined(),
  );
  it.each([
    '',
    'x',
    '1.2',
    'v1.2.3',
    '01.2.3',
    '1.2.3.4',
    '1.2.3-',
    '1.2.3-01',
    '1.2.3-a..b',
    '1.2.3+',
    '1.2.3+a_b',
    ' 1.2.3',
    '1.2.3-é',
    '18446744073709551616.0.0',
  ])('refuses %j', (text) => expect(parseSemanticVersion(text)).toBeUndefined());

  it('orders versions by precedence', () => {
    const ordered = [
      '0.9.9',
      '1.0.0-1',
      '1.0.0-2',
      '1.0.0-a',
      '1.0.0-a.1',
      '1.0.0',
      '1.0.1',
      '1.1.0',
      '2.0.0',
    ];
    const shuffled = [...ordered].reverse().map((text) => ({ text, version: parseSemanticVersion(text)! }));
    shuffled.sort((a, b) => compareSemanticVersions(a.version, b.version));
    expect(shuffled.map(({ text }) => text)).toEqual(ordered);
    const [one, other] = ['1.0.0+a', '1.0.0+b'].map((text) => parseSemanticVersion(text)!);
    expect(compareSemanticVersions(one!, other!)).toBe(0);
  });
});
