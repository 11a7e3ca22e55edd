import fc from 'fast-check';
import { expect, it } from 'vitest';
import { checkParts } from '../../../src/kinds/validation/check-parts.ts';
import { replay } from '../../../src/steps/replay.ts';

/** The parts and indexes that are checked, and the number of pauses. */
function checked(text: string, separator: string): { parts: string[]; pauses: number } {
  const owner = {};
  const steps = replay(
    () => checkParts(owner, { place: 'a', text, separator }, (part, index) => [`${index} ${part}`]),
    1,
  );
  for (let pauses = 0; ; pauses += 1) {
    const step = steps.next();
    if (step.done === true) return { parts: step.value, pauses };
  }
}

const expected = (text: string, separator: string): string[] =>
  text.split(separator).map((part, index) => `${index} ${part}`);

it('checks the parts of a text of any length, and pauses within a long one', () => {
  const part = fc.oneof(
    fc.string({ maxLength: 3 }),
    fc.nat({ max: 40_000 }).map((length) => 'a'.repeat(length)),
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 8 }), fc.constantFrom('/', '. '), (parts, separator) => {
      const text = parts.join(separator);
      expect(checked(text, separator).parts).toEqual(expected(text, separator));
    }),
  );
  const long = '/a'.repeat(50_000);
  const { parts, pauses } = checked(long, '/');
  expect(parts).toEqual(expected(long, '/'));
  expect(pauses).toBeGreaterThan(4);
});
