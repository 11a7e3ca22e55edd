import { expect, it } from 'vitest';
import { validateSignerName } from '../../../src/kinds/validation/signer-names.ts';

const errorsOf = (name: string): string[] => validateSignerName(name, 'f').map(({ body }) => body);

it.each(['example.com/name', 'a.b.c/x.y-z'])('accepts %s', (name) => expect(errorsOf(name)).toEqual([]));

it('reports the first malformed label of each part', () => {
  expect(errorsOf('A.B/C.D')).toEqual([
    expect.stringMatching(/^Invalid value: "A\.B": validating label "A": /),
    expect.stringMatching(/^Invalid value: "C\.D": validating label "C": /),
  ]);
});

it('needs a domain of two labels and one path', () => {
  expect(errorsOf('a/b')).toEqual([
    'Invalid value: "a": should be a domain with at least two segments separated by dots',
  ]);
  expect(errorsOf('a.b/c/d')).toHaveLength(1);
  expect(errorsOf('')).toEqual(['Required value']);
});
