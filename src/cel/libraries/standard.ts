import { firstOnce, matching, product } from '../cost/runtime.ts';
import { ErrorValue } from '../values/error-value.ts';
import { sizeIfAny } from '../values/size.ts';
import type { Value } from '../values/value.ts';
import type { CelFunction, Implementation, Overload } from './function.ts';
import { countReadText } from './limits.ts';
import { compilePattern } from './pattern.ts';

/** Counting code points takes time that the cost of 1 does not cover. */
const sizes: Implementation = (frame, value) => {
  if (typeof value === 'string') countReadText(frame, value);
  return sizeIfAny(value) ?? new ErrorValue('no such overload: size');
};

const text = (id: string, decide: (text: string, part: string) => boolean): Overload => ({
  id,
  arguments: ['string', 'string'],
  invoke: (_frame, first, second) => decide(first as string, second as string),
});

const matches: Implementation = (frame, subject, pattern) => {
  const compiled = compilePattern(pattern as string);
  return compiled instanceof ErrorValue ? compiled : compiled.test(frame, subject as string);
};

/** The implementation for a constant pattern. */
function matchesConstant(pattern: Value): Implementation | Value {
  if (typeof pattern !== 'string') return matches;
  const compiled = compilePattern(pattern);
  if (compiled instanceof ErrorValue) return compiled;
  return (frame, subject) => compiled.test(frame, subject as string);
}

/** `size`, and searching in texts. */
export const STANDARD: readonly CelFunction[] = [
  {
    name: 'size',
    mismatchMessage: 'name',
    overloads: [
      'bytes_size',
      'list_size',
      'map_size',
      'size_bytes',
      'size_list',
      'size_map',
      'size_string',
      'string_size',
    ].map((id) => ({
      id,
      arguments: ['any'],
      invoke: sizes,
    })),
  },
  {
    name: 'startsWith',
    mismatchMessage: 'nothing',
    overloads: [
      { ...text('starts_with_string', (subject, part) => subject.startsWith(part)), cost: firstOnce },
    ],
  },
  {
    name: 'endsWith',
    mismatchMessage: 'nothing',
    overloads: [{ ...text('ends_with_string', (subject, part) => subject.endsWith(part)), cost: firstOnce }],
  },
  {
    name: 'contains',
    mismatchMessage: 'nothing',
    overloads: [{ ...text('contains_string', (subject, part) => subject.includes(part)), cost: product }],
  },
  {
    name: 'matches',
    mismatchMessage: 'name',
    overloads: [
      { id: 'matches', arguments: ['string', 'string'], invoke: matches, prepare: matchesConstant },
      {
        id: 'matches_string',
        arguments: ['string', 'string'],
        invoke: matches,
        prepare: matchesConstant,
        cost: matching,
      },
    ],
  },
];
