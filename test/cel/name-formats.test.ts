import { describe, expect, it } from 'vitest';
import { evaluate } from './support/evaluate.ts';

const problemOf = (format: string, text: string) =>
  evaluate(`format.${format}().validate('${text}').orValue(['valid'])[0]`);

// Recorded from a message expression of a policy in kube-apiserver 1.32.13.
describe('formats of names', () => {
  it('name the dots of a label', () => {
    for (const format of ['dns1123Label', 'dns1123LabelPrefix'])
      expect(problemOf(format, 'a.b')).toMatchObject({ value: 'must not contain dots' });
  });

  it('ignore the last two characters of a prefix that ends in a dash', () => {
    for (const format of ['dns1123LabelPrefix', 'dns1123SubdomainPrefix', 'dns1035LabelPrefix']) {
      for (const text of ['A-', 'x_-', 'ab--'])
        expect(problemOf(format, text), `${format} ${text}`).toMatchObject({ value: 'valid' });
      expect(problemOf(format, '-a-'), format).not.toMatchObject({ value: 'valid' });
    }
  });
});
