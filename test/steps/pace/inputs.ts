import fc from 'fast-check';
import { setMember } from '../../../src/model/object.ts';

/** Names that are sorted, quoted or treated in different ways. */
const names = fc.oneof(
  fc.constantFrom(
    'a',
    'b',
    'f:x',
    '9',
    '10',
    '__proto__',
    '<',
    '\uffff',
    '\u{10400}',
    ' long key '.repeat(20),
  ),
  fc.string({ maxLength: 6 }),
);

const scalars = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    -0,
    0,
    1,
    1.5,
    1e21,
    1e-7,
    2n ** 60n,
    -(2n ** 70n),
    '',
    '~',
    '0x1',
    '-0',
  ),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom('two words', 'line\nline\n', ' x'.repeat(80), 'é'.repeat(100), '2020-01-02', 'a: b', "'"),
);

const objectOf = (entries: readonly (readonly [string, unknown])[]): object => {
  const object = {};
  for (const [name, value] of entries) setMember(object, name, value);
  return object;
};

/** Plain trees, some of which have undefined members. */
export const trees = fc.letrec<{ tree: unknown; object: object }>((tie) => ({
  object: fc
    .array(fc.tuple(names, fc.oneof(tie('tree'), fc.constant(undefined))), { maxLength: 6 })
    .map(objectOf),
  tree: fc.oneof({ maxDepth: 4 }, scalars, fc.array(tie('tree'), { maxLength: 6 }), tie('object')),
}));

/** JSON texts: valid ones with numbers of all kinds and duplicate members, and broken ones. */
export const jsonTexts = fc.letrec<{ text: string; object: string }>((tie) => ({
  object: fc
    .array(
      fc
        .tuple(fc.constantFrom('a', 'b', 'c', 'é', '\\u0061', '__proto__'), tie('text'))
        .map(([name, value]) => `"${name}":${value}`),
      { maxLength: 5 },
    )
    .map((members) => `{${members.join(',')}}`),
  text: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom('-0', '1.0', '1e3', '9007199254740993', '1.5', 'true', 'null', '"x"', '"\\ud800"', '"<"'),
    fc.constantFrom('0', '1', '[]', '{}', '-', '"', 'nul', '1.', '[1,', '{"a"}'),
    fc.array(tie('text'), { maxLength: 5 }).map((items) => `[${items.join(', ')}]`),
    tie('object'),
  ),
}));
