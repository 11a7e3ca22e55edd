import { bothOnce } from '../cost/runtime.ts';
import { contains } from '../planner/operators.ts';
import { sizeOf } from '../values/size.ts';
import { add, divide, modulo, multiply, negate, subtract } from './arithmetic.ts';
import type { CelFunction, Implementation, Overload } from './function.ts';

const anyKinds = ['any', 'any'];
const overloads = (prefix: string, types: readonly string[], invoke: Implementation, count = 2): Overload[] =>
  types.map((type) => ({ id: `${prefix}_${type}`, arguments: anyKinds.slice(0, count), invoke }));

const addition: Implementation = (frame, left, right) => add(frame, left, right);

/** Arithmetic, `!` and `in`. The planner implements comparison and logic. */
export const OPERATORS: readonly CelFunction[] = [
  {
    name: '_+_',
    overloads: [
      ...overloads(
        'add',
        [
          'double',
          'duration_duration',
          'duration_timestamp',
          'int64',
          'list',
          'timestamp_duration',
          'uint64',
        ],
        addition,
      ),
      { id: 'add_string', arguments: anyKinds, invoke: addition, cost: bothOnce },
      { id: 'add_bytes', arguments: anyKinds, invoke: addition, cost: bothOnce },
    ],
  },
  {
    name: '_-_',
    overloads: overloads(
      'subtract',
      ['double', 'duration_duration', 'int64', 'timestamp_duration', 'timestamp_timestamp', 'uint64'],
      (_frame, left, right) => subtract(left, right),
    ),
  },
  {
    name: '_*_',
    overloads: overloads('multiply', ['double', 'int64', 'uint64'], (_frame, left, right) =>
      multiply(left, right),
    ),
  },
  {
    name: '_/_',
    overloads: overloads('divide', ['double', 'int64', 'uint64'], (_frame, left, right) =>
      divide(left, right),
    ),
  },
  {
    name: '_%_',
    overloads: overloads('modulo', ['int64', 'uint64'], (_frame, left, right) => modulo(left, right)),
  },
  { name: '-_', overloads: overloads('negate', ['double', 'int64'], (_frame, value) => negate(value), 1) },
  {
    name: '!_',
    mismatchMessage: 'name',
    overloads: [{ id: 'logical_not', arguments: ['bool'], invoke: (_frame, value) => value !== true }],
  },
  {
    name: '@in',
    overloads: [
      {
        id: 'in_list',
        arguments: anyKinds,
        invoke: contains,
        cost: (_frame, _element, list) => sizeOf(list),
      },
      { id: 'in_map', arguments: anyKinds, invoke: contains },
    ],
  },
];
