import type { Expression } from '../syntax.ts';
import {
  expandAll,
  expandExists,
  expandExistsOne,
  expandList,
  expandMap,
  type Loop,
} from './comprehensions.ts';
import {
  type Expander,
  type MacroCall,
  MacroError,
  type Macros,
  pairVariableName,
  variableName,
} from './macros.ts';

const SIMPLE_NAME = 'argument must be a simple name';

function expandHas({ arguments: args, position, build }: MacroCall): Expression {
  const argument = args[0]!;
  if (argument.kind !== 'select') throw new MacroError(argument.id, 'invalid argument to has() macro');
  return build.select(position, argument.operand, argument.field, true);
}

/** A macro over elements; its first argument names the element. */
const overElements =
  (errorMessage: string, expand: (loop: Loop, args: readonly Expression[]) => Expression): Expander =>
  (call) =>
    expand({ call, variable: variableName(call.arguments[0]!, errorMessage) }, call.arguments);

/** `target.optMap(name, expression)`: binds the name as the accumulator of an empty comprehension. */
const overOptional =
  (macro: string, wrap: (call: MacroCall, bound: Expression) => Expression): Expander =>
  (call) => {
    const { arguments: args, build, position, target } = call;
    const [name, expression] = args;
    if (name!.kind !== 'identifier')
      throw new MacroError(name!.id, `${macro}() variable name must be a simple identifier`);
    const bound = build.comprehension(position, {
      range: build.list(position, []),
      variable: '#unused',
      secondVariable: undefined,
      accumulator: name!.name,
      initial: build.memberCall(position, 'value', build.copy(target)),
      condition: build.literal(position, { type: 'bool', value: false }),
      step: build.identifier(position, name!.name),
      result: expression!,
    });
    return build.call(
      position,
      '_?_:_',
      build.memberCall(position, 'hasValue', target),
      wrap(call, bound),
      build.call(position, 'optional.none'),
    );
  };

/** A macro whose first two arguments name the key (or index) and the value. */
const overEntries =
  (expand: (loop: Loop, args: readonly Expression[]) => Expression): Expander =>
  (call) => {
    const [first, second] = call.arguments;
    const names = [first, second].map((argument) => {
      if (argument!.kind !== 'identifier') throw new MacroError(argument!.id, SIMPLE_NAME);
      return argument!.name;
    });
    if (names[0] === names[1]) throw new MacroError(second!.id, `duplicate variable name: ${names[0]}`);
    return expand(
      {
        call,
        variable: pairVariableName(first!, SIMPLE_NAME),
        second: pairVariableName(second!, SIMPLE_NAME),
      },
      call.arguments.slice(2),
    );
  };

const STANDARD: readonly (readonly [string, Expander])[] = [
  ['has:1', expandHas],
  ['.all:2', overElements(SIMPLE_NAME, (loop, args) => expandAll(loop, args[1]!))],
  ['.exists:2', overElements(SIMPLE_NAME, (loop, args) => expandExists(loop, args[1]!))],
  ['.exists_one:2', overElements(SIMPLE_NAME, (loop, args) => expandExistsOne(loop, args[1]!))],
  [
    '.map:2',
    overElements('argument is not an identifier', (loop, args) => expandList(loop, undefined, args[1]!)),
  ],
  [
    '.map:3',
    overElements('argument is not an identifier', (loop, args) => expandList(loop, args[1]!, args[2]!)),
  ],
  [
    '.filter:2',
    overElements('argument is not an identifier', (loop, args) => expandList(loop, args[1]!, args[0]!)),
  ],
  [
    '.optMap:2',
    overOptional('optMap', ({ build, position }, bound) => build.call(position, 'optional.of', bound)),
  ],
  ['.optFlatMap:2', overOptional('optFlatMap', (_, bound) => bound)],
];

const TWO_VARIABLES: readonly (readonly [string, Expander])[] = [
  ['.all:3', overEntries((loop, args) => expandAll(loop, args[0]!))],
  ['.exists:3', overEntries((loop, args) => expandExists(loop, args[0]!))],
  ['.existsOne:3', overEntries((loop, args) => expandExistsOne(loop, args[0]!))],
  ['.exists_one:3', overEntries((loop, args) => expandExistsOne(loop, args[0]!))],
  ['.transformList:3', overEntries((loop, args) => expandList(loop, undefined, args[0]!))],
  ['.transformList:4', overEntries((loop, args) => expandList(loop, args[0]!, args[1]!))],
  [
    '.transformMap:3',
    overEntries((loop, args) =>
      expandMap(loop, undefined, loop.call.build.identifier(loop.call.position, loop.variable), args[0]!),
    ),
  ],
  [
    '.transformMap:4',
    overEntries((loop, args) =>
      expandMap(loop, args[0]!, loop.call.build.identifier(loop.call.position, loop.variable), args[1]!),
    ),
  ],
  ['.transformMapEntry:3', overEntries((loop, args) => expandMap(loop, undefined, args[0]!))],
  ['.transformMapEntry:4', overEntries((loop, args) => expandMap(loop, args[0]!, args[1]!))],
];

export const STANDARD_MACROS: Macros = new Map(STANDARD);

/** The standard macros and the two-variable macros. */
export const ALL_MACROS: Macros = new Map([...STANDARD, ...TWO_VARIABLES]);
