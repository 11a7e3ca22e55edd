import type { CheckedExpression } from '../checked.ts';
import type { Finding } from '../errors.ts';
import type { Expression } from '../syntax.ts';
import { sameType, type Type, typeName } from '../types.ts';

/**
 * Elements of a list, or keys and values of a map, whose types differ from the first. For a list only the
 * first difference is reported.
 */
export function mixedElements(checked: CheckedExpression, expression: Expression): readonly Finding[] {
  const typeOf = ({ id }: Expression, optional: boolean): Type => {
    const type = checked.types.get(id)!;
    return optional && type.kind === 'optional' ? type.value : type;
  };
  const difference = (expected: Type, node: Expression, found: Type): readonly Finding[] =>
    sameType(expected, found)
      ? []
      : [{ id: node.id, message: `expected type '${typeName(expected)}' but found '${typeName(found)}'` }];

  if (expression.kind === 'list') {
    const optional = new Set(expression.optionalIndices);
    const [first, ...others] = expression.elements.map((element, index) => ({
      element,
      type: typeOf(element, optional.has(index)),
    }));
    for (const { element, type } of others) {
      const findings = difference(first!.type, element, type);
      if (findings.length > 0) return findings;
    }
  }
  if (expression.kind === 'map') {
    const [first, ...others] = expression.entries.map(({ key, value, optional }) => ({
      key,
      value,
      keyType: typeOf(key, false),
      valueType: typeOf(value, optional),
    }));
    return others.flatMap(({ key, value, keyType, valueType }) => [
      ...difference(first!.keyType, key, keyType),
      ...difference(first!.valueType, value, valueType),
    ]);
  }
  return [];
}
