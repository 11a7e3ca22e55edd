import type { CheckedExpression } from '../checked.ts';
import type { Finding } from '../errors.ts';
import type { Call, Expression } from '../syntax.ts';
import { declaredTypeName, type Type } from '../types.ts';

interface ClauseRule {
  readonly kinds: ReadonlySet<Type['kind']>;
  readonly complaint: string;
}

const rule = (complaint: string, ...kinds: readonly Type['kind'][]): ClauseRule => ({ complaint, kinds: new Set(kinds) });

const INTEGERS = ['int', 'uint'] as const;
/** Strings too, because of `NaN` and the infinities. */
const DOUBLES = ['double', 'string'] as const;
const HEX = rule('only integers, byte buffers, and strings can be formatted as hex', ...INTEGERS, 'string', 'bytes');
const TEXT = rule(
  'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps',
  ...(['list', 'map', 'int', 'uint', 'double', 'bool', 'string', 'timestamp', 'bytes', 'duration', 'type', 'null'] as const),
);

const CLAUSES: ReadonlyMap<string, ClauseRule> = new Map([
  ['s', TEXT],
  ['d', rule('decimal clause can only be used on integers', ...INTEGERS)],
  ['f', rule('fixed-point clause can only be used on doubles', ...DOUBLES)],
  ['e', rule('scientific clause can only be used on doubles', ...DOUBLES)],
  ['b', rule('only integers and bools can be formatted as binary', ...INTEGERS, 'bool')],
  ['x', HEX],
  ['X', HEX],
  ['o', rule('octal clause can only be used on integers', ...INTEGERS)],
]);

/** What is wrong with `'…'.format([…])`: clauses that do not parse, arguments that are missing, too many, or of types that their clauses do not take. */
export function badFormat(checked: CheckedExpression, call: Call): readonly Finding[] {
  const { target, arguments: args } = call;
  if (call.function !== 'format' || target?.kind !== 'literal' || target.constant.type !== 'string') return [];
  const values = args[0];
  if (args.length !== 1 || values?.kind !== 'list') return [];
  // Clauses are read byte by byte.
  const text = Buffer.from(target.constant.value).toString('latin1');
  let used = 0;
  for (let position = text.indexOf('%'); position !== -1; position = text.indexOf('%', position)) {
    if (text[position + 1] === '%') {
      position += 2;
      continue;
    }
    const value = values.elements[used];
    if (value === undefined) return [{ id: call.id, message: `index ${used} out of range` }];
    used++;
    if (position + 1 >= text.length) return [{ id: call.id, message: 'unexpected end of string' }];
    const clause = readClause(text, position + 1);
    if (typeof clause === 'string') return [{ id: call.id, message: `could not parse formatting clause: ${clause}` }];
    const bad = misfit(checked, clause.rule, value);
    if (bad !== undefined) {
      return [{ id: value.id, message: `error during formatting: ${clause.rule.complaint}, was given ${runtimeName(checked.types.get(bad.id)!)}` }];
    }
    position = clause.end;
  }
  if (values.elements.length <= used) return [];
  return [{ id: call.id, message: `too many arguments supplied to string.format (expected ${used}, got ${values.elements.length})` }];
}

/** Reads precision and letter of a clause, or says what is wrong. */
function readClause(text: string, start: number): { readonly rule: ClauseRule; readonly end: number } | string {
  let end = start;
  if (text[end] === '.') {
    const digits = /^\d*/.exec(text.slice(start + 1))![0];
    end = start + 1 + digits.length;
    if (end >= text.length) return 'error while parsing precision: could not find end of precision specifier';
    const failure = digits === '' ? 'invalid syntax' : BigInt(digits) > 2n ** 63n - 1n ? 'value out of range' : undefined;
    if (failure !== undefined)
      return `error while parsing precision: error while converting precision to integer: strconv.Atoi: parsing "${digits}": ${failure}`;
  }
  const found = CLAUSES.get(text[end]!);
  return found === undefined ? `unrecognized formatting clause "${text[end]}"` : { rule: found, end: end + 1 };
}

/** The part of an argument whose type a clause does not take: itself, or with `%s` something inside of a literal. */
function misfit(checked: CheckedExpression, clause: ClauseRule, value: Expression): Expression | undefined {
  const { kind } = checked.types.get(value.id)!;
  if (kind !== 'dyn' && !clause.kinds.has(kind)) return value;
  if (clause !== TEXT) return undefined;
  const inside = value.kind === 'list' ? value.elements : value.kind === 'map' ? value.entries.flatMap(({ key, value: held }) => [key, held]) : [];
  for (const element of inside) {
    const bad = misfit(checked, clause, element);
    if (bad !== undefined) return bad;
  }
  return undefined;
}

/** The name of a type without what is inside of it. */
const runtimeName = (type: Type): string => declaredTypeName(type).split('(', 1)[0]!;
