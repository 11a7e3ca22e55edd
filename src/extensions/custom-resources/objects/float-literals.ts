import { Double } from '../../../cel/index.ts';
import { literalsOf, type NumberLiterals } from '../../../codec/number-literals.ts';
import { setMember } from '../../../model/object.ts';

/**
 * Returns an object for rules: whole numbers that the client wrote with a fraction or exponent (`6.0`) are
 * doubles, which are no integers in expressions. Others are shared with the object.
 */
export function withFloats<Value extends object>(object: Value): Value {
  const literals = literalsOf(object);
  return literals === undefined ? object : (copyWithFloats(object, literals) as Value);
}

function copyWithFloats(value: unknown, literals: NumberLiterals): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const floats = literals.get(value);
  const convert = (key: string, member: unknown): unknown =>
    typeof member === 'number' && floats?.has(key) === true
      ? new Double(member)
      : copyWithFloats(member, literals);
  if (Array.isArray(value)) return value.map((item, index) => convert(String(index), item));
  const copy = {};
  for (const [name, member] of Object.entries(value)) setMember(copy, name, convert(name, member));
  return copy;
}
