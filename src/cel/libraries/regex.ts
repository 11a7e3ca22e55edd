import { matching } from '../cost/runtime.ts';
import { ErrorValue } from '../values/error-value.ts';
import { TextList } from '../values/list.ts';
import type { Value } from '../values/value.ts';
import type { CelFunction, Implementation } from './function.ts';
import { compilePattern, type Pattern } from './pattern.ts';

/** An implementation that compiles its pattern, and a prepared one for a constant pattern. */
function withPattern(apply: (pattern: Pattern, ...rest: Parameters<Implementation>) => Value): {
  invoke: Implementation;
  prepare: (pattern: Value) => Implementation | Value;
} {
  const invoke: Implementation = (frame, text, pattern, third, fourth) => {
    const compiled = compilePattern(pattern as string);
    return compiled instanceof ErrorValue ? compiled : apply(compiled, frame, text, pattern, third, fourth);
  };
  const prepare = (pattern: Value): Implementation | Value => {
    if (typeof pattern !== 'string') return invoke;
    const compiled = compilePattern(pattern);
    return compiled instanceof ErrorValue ? compiled : (...args) => apply(compiled, ...args);
  };
  return { invoke, prepare };
}

/** `find` and `findAll`. */
export const REGEX: readonly CelFunction[] = [
  {
    name: 'find',
    cost: matching,
    overloads: [
      {
        id: 'string_find_string',
        arguments: ['string', 'string'],
        ...withPattern((pattern, frame, text) => pattern.findAll(frame, text as string, 1)[0] ?? ''),
      },
    ],
  },
  {
    name: 'findAll',
    cost: matching,
    overloads: [
      {
        id: 'string_find_all_string',
        arguments: ['string', 'string'],
        ...withPattern(
          (pattern, frame, text) =>
            new TextList(pattern.findAll(frame, text as string, Number.POSITIVE_INFINITY)),
        ),
      },
      {
        id: 'string_find_all_string_int',
        arguments: ['string', 'string', 'int'],
        ...withPattern((pattern, frame, text, _pattern, most) => {
          const count = Number(most);
          return new TextList(
            pattern.findAll(frame, text as string, count < 0 ? Number.POSITIVE_INFINITY : count),
          );
        }),
      },
    ],
  },
];
