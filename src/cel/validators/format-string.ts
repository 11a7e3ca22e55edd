import type { CheckedExpression } from '../checked.ts';
import type { Finding } from '../errors.ts';
import { readFormatClause } from '../libraries/format-syntax.ts';
import type { Call, Expression } from '../syntax.ts';
import { declaredTypeName, type Type } from '../types.ts';

interface ClauseRule {
  readonly kinds: ReadonlySet<Type['kind']>;
  readonly message: string;
}

const clauseRule = (message: string, ...kinds: readonly Type['kind'][]): ClauseRule => ({
  message,
  kinds: new Set(kinds),
});

const INTEGERS = ['int', 'uint'] as const;
/** Includes strings because of `NaN` and the infinities. */
const DOUBLES = ['double', 'string'] as const;
const HEX = clauseRule(
  'only integers, byte buffers, and strings can be formatted as hex',
  ...INTEGERS,
  'string',
  'bytes',
);
const TEXT = clauseRule(
  'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps',
  ...([
    'list',
    'map',
    'int',
    'uint',
    'double',
    'bool',
    'string',
    'timestamp',
    'bytes',
    'duration',
    'type',
    'null',
  ] as const),
);

const CLAUSES: ReadonlyMap<string, ClauseRule> = new Map([
  ['s', TEXT],
  ['d', clauseRule('decimal clause can only be used on integers', ...INTEGERS)],
  ['f', clauseRule('fixed-point clause can only be used on doubles', ...DOUBLES)],
  ['e', clauseRule('scientific clause can only be used on doubles', ...DOUBLES)],
  ['b', clauseRule('only integers and bools can be formatted as binary', ...INTEGERS, 'bool')],
  ['x', HEX],
  ['X', HEX],
  ['o', clauseRule('octal clause can only be used on integers', ...INTEGERS)],
]);

/**
 * Errors of `'…'.format([…])`: clauses that do not parse, missing or superfluous arguments, and arguments of
 * wrong types.
 */
export function formatFindings(checked: CheckedExpression, call: Call): readonly Finding[] {
  const { target, arguments: args } = call;
  if (call.function !== 'format' || target?.kind !== 'literal' || target.constant.type !== 'string')
    return [];
  const values = args[0];
  if (args.length !== 1 || values?.kind !== 'list') return [];
  const text = target.constant.value;
  let used = 0;
  for (let position = text.indexOf('%'); position !== -1; position = text.indexOf('%', position)) {
    if (text[position + 1] === '%') {
      position += 2;
      continue;
    }
    if (position + 1 >= text.length) return [{ id: call.id, message: 'unexpected end of string' }];
    const value = values.elements[used];
    if (value === undefined) return [{ id: call.id, message: `index ${used} out of range` }];
    used++;
    const clause = readFormatClause(text, position + 1);
    if (typeof clause === 'string')
      return [{ id: call.id, message: `could not parse formatting clause: ${clause}` }];
    const rule = CLAUSES.get(clause.verb)!;
    const bad = mismatchIn(checked, rule, value);
    if (bad !== undefined) {
      return [
        {
          id: bad.id,
          message: `error during formatting: ${rule.message}, was given ${runtimeName(checked.types.get(bad.id)!)}`,
        },
      ];
    }
    position = clause.end;
  }
  if (values.elements.length <= used) return [];
  return [
    {
      id: call.id,
      message: `too many arguments supplied to string.format (expected ${used}, got ${values.elements.length})`,
    },
  ];
}

/**
 * The part of an argument whose type the clause does not accept: the argument itself, or for `%s` an element
 * of a literal.
 */
function mismatchIn(
  checked: CheckedExpression,
  clause: ClauseRule,
  value: Expression,
): Expression | undefined {
  const { kind } = checked.types.get(value.id)!;
  if (kind !== 'dyn' && !clause.kinds.has(kind)) return value;
  if (clause !== TEXT) return undefined;
  const inside =
    value.kind === 'list'
      ? value.elements
      : value.kind === 'map'
        ? value.entries.flatMap(({ key, value: held }) => [key, held])
        : [];
  for (const element of inside) {
    const bad = mismatchIn(checked, clause, element);
    if (bad !== undefined) return bad;
  }
  return undefined;
}

/** The name of a type without its type arguments. */
const runtimeName = (type: Type): string => declaredTypeName(type).split('(', 1)[0]!;
