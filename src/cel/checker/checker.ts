import type { CheckedExpression, Declarations, Reference } from '../checked.ts';
import { CompileError, compileErrorOf, type Finding, SourceText } from '../errors.ts';
import type {
  Call,
  Comprehension,
  Constant,
  Expression,
  ListLiteral,
  MapLiteral,
  MessageLiteral,
  ParsedExpression,
  Select,
} from '../syntax.ts';
import {
  BOOL,
  BYTES,
  DOUBLE,
  DYN,
  ERROR,
  INT,
  list,
  map,
  NULL,
  optional,
  STRING,
  type Type,
  typeName,
  typeOf,
  UINT,
} from '../types.ts';
import { Assignability, isDynamic, mostGeneral } from './assignability.ts';
import { type MemberSelection, messageFields, selectMember } from './members.ts';
import { describeCall, resolve } from './overloads.ts';
import { absolute, qualifiedName } from './qualified-name.ts';
import { findLocalVariable, type Scope } from './scope.ts';
import { Substitution } from './substitution.ts';
import { checkedWeight, TypeTooComplex } from './type-weight.ts';

const CONSTANT_TYPES: Readonly<Record<Constant['type'], Type>> = {
  null: NULL,
  bool: BOOL,
  int: INT,
  uint: UINT,
  double: DOUBLE,
  string: STRING,
  bytes: BYTES,
};

/** The type argument of an optional type; undefined for other types. */
const optionalValue = (type: Type): Type | undefined => (type.kind === 'optional' ? type.value : undefined);

/**
 * Assigns a type to every node of a parsed expression.
 * @throws CompileError with all type errors
 */
export function check(parsed: ParsedExpression, declarations: Declarations): CheckedExpression {
  const checker = new Checker(declarations);
  let types: ReadonlyMap<number, Type>;
  try {
    checker.visit(parsed.root);
    types = checker.finalTypes();
  } catch (error) {
    if (!(error instanceof TypeTooComplex)) throw error;
    throw new CompileError(new SourceText(parsed.source), [
      { message: 'types of the expression are too large', line: -1, column: -1 },
    ]);
  }
  if (checker.findings.length > 0) throw compileErrorOf(parsed, checker.findings);
  const { source, root, positions, macroCalls } = parsed;
  return {
    source,
    root,
    positions,
    macroCalls,
    type: types.get(root.id)!,
    types,
    references: checker.references,
  };
}

class Checker {
  readonly findings: Finding[] = [];
  readonly references = new Map<number, Reference>();
  readonly #declarations: Declarations;
  readonly #types = new Map<number, Type>();
  readonly #substitution = new Substitution();
  readonly #assignability = new Assignability(this.#substitution);
  #scope: Scope | undefined;

  constructor(declarations: Declarations) {
    this.#declarations = declarations;
  }

  /** The types of all nodes; unbound type variables become dyn. */
  finalTypes(): ReadonlyMap<number, Type> {
    const known = new Map<Type, Type>();
    for (const [id, type] of this.#types) {
      let final = known.get(type);
      if (final === undefined) {
        final = this.#substitution.apply(type, true);
        known.set(type, final);
      }
      this.#types.set(id, final);
    }
    return this.#types;
  }

  /** Checks a node and returns its type. */
  visit(expression: Expression): Type {
    const type = checkedWeight(this.#typeOf(expression));
    this.#types.set(expression.id, type);
    return type;
  }

  #typeOf(expression: Expression): Type {
    switch (expression.kind) {
      case 'literal':
        return CONSTANT_TYPES[expression.constant.type];
      case 'identifier':
        return (
          this.#name(expression.id, expression.name) ??
          this.#report(expression.id, `undeclared reference to '${expression.name}' (in container '')`)
        );
      case 'select':
        return this.#select(expression);
      case 'call':
        return this.#call(expression);
      case 'list':
        return this.#list(expression);
      case 'map':
        return this.#map(expression);
      case 'message':
        return this.#message(expression);
      case 'comprehension':
        return this.#comprehension(expression);
    }
  }

  #report(id: number, message: string): Type {
    this.findings.push({ id, message });
    return ERROR;
  }

  #mismatch(id: number, expected: Type, found: Type): Type {
    return this.#report(id, `expected type '${typeName(expected)}' but found '${typeName(found)}'`);
  }

  /**
   * The type of a variable, or of a type used as a value; records the reference. Undefined when the name is
   * not declared.
   */
  #name(id: number, written: string): Type | undefined {
    const name = absolute(written);
    const variable = findLocalVariable(this.#scope, name) ?? this.#declarations.variable(name);
    if (variable !== undefined) {
      this.references.set(id, { kind: 'name', name });
      return variable;
    }
    const type = this.#declarations.typeNamed(name);
    if (type === undefined) return undefined;
    this.references.set(id, { kind: 'name', name, type });
    return typeOf(type);
  }

  #select(expression: Select): Type {
    const name = qualifiedName(expression);
    const known = name === undefined ? undefined : this.#name(expression.id, name);
    if (known !== undefined) return known;
    const type = this.#member(expression.id, expression.operand, expression.field, false);
    return expression.testOnly ? BOOL : this.#substitution.apply(type, false);
  }

  /** The type of a member of an operand; for an optional operand the result is optional too. */
  #member(id: number, operand: Expression, field: string, optionalForm: boolean): Type {
    const operandType = this.#substitution.apply(this.visit(operand), false);
    const inner = optionalValue(operandType);
    const selected = inner ?? operandType;
    // An unbound type is dyn from here on.
    if (selected.kind === 'parameter') this.#assignability.fits(DYN, selected);
    const selection: MemberSelection = selectMember(selected, field);
    if ('problem' in selection) this.#report(id, selection.problem);
    const type = 'problem' in selection ? selection.continueAs : selection.type;
    return inner !== undefined || optionalForm ? optional(type) : type;
  }

  #call(call: Call): Type {
    if (call.function === '_?._') return this.#optionalSelect(call);
    const args = call.arguments.map((argument) => this.visit(argument));
    if (call.target === undefined) {
      if (this.#declarations.overloads(absolute(call.function)) === undefined) return this.#undeclared(call);
      return this.#resolve(call, absolute(call.function), false, args);
    }
    const prefix = qualifiedName(call.target);
    const full = prefix === undefined ? undefined : absolute(`${prefix}.${call.function}`);
    if (full !== undefined && this.#declarations.overloads(full) !== undefined)
      return this.#resolve(call, full, false, args);
    const target = this.visit(call.target);
    if (this.#declarations.overloads(call.function) === undefined) return this.#undeclared(call);
    return this.#resolve(call, call.function, true, [target, ...args]);
  }

  #undeclared(call: Call): Type {
    return this.#report(call.id, `undeclared reference to '${call.function}' (in container '')`);
  }

  #resolve(call: Call, name: string, member: boolean, args: readonly Type[]): Type {
    if (name === '_&&_' || name === '_||_') return this.#logical(call, name, args);
    const resolution = resolve(
      this.#declarations.overloads(name)!,
      member,
      args,
      this.#assignability,
      this.#substitution,
    );
    if (resolution === undefined) {
      const types = args.map((type) => this.#substitution.apply(type, true));
      return this.#report(
        call.id,
        `found no matching overload for '${name}' applied to '${describeCall(types, member)}'`,
      );
    }
    this.references.set(call.id, { kind: 'overloads', ids: resolution.ids });
    return resolution.type;
  }

  #logical(call: Call, name: string, args: readonly Type[]): Type {
    let result = BOOL;
    args.forEach((type, index) => {
      if (!this.#assignability.fits(type, BOOL))
        result = this.#mismatch(call.arguments[index]!.id, BOOL, type);
    });
    if (result !== ERROR)
      this.references.set(call.id, {
        kind: 'overloads',
        ids: [name === '_&&_' ? 'logical_and' : 'logical_or'],
      });
    return result;
  }

  #optionalSelect(call: Call): Type {
    const [operand, field] = call.arguments;
    if (field?.kind !== 'literal' || field.constant.type !== 'string')
      return this.#report(call.id, 'unsupported optional field selection');
    this.visit(field);
    const type = this.#member(call.id, operand!, field.constant.value, true);
    this.references.set(call.id, { kind: 'overloads', ids: ['select_optional_field'] });
    return this.#substitution.apply(type, false);
  }

  /** The type that an element written `?element` adds: the type argument of its optional. */
  #unwrapped(id: number, type: Type): Type {
    const inner = optionalValue(type);
    if (inner !== undefined || isDynamic(type)) return inner ?? type;
    this.#mismatch(id, optional(type), type);
    return type;
  }

  /**
   * The common element type; dyn when neither type is assignable to the other (mixed literals are validated
   * later).
   */
  #join(previous: Type | undefined, current: Type): Type {
    if (previous === undefined) return current;
    return this.#assignability.fits(previous, current) ? mostGeneral(previous, current) : DYN;
  }

  #list({ elements, optionalIndices }: ListLiteral): Type {
    let type: Type | undefined;
    elements.forEach((element, index) => {
      const elementType = this.visit(element);
      type = this.#join(
        type,
        optionalIndices.includes(index) ? this.#unwrapped(element.id, elementType) : elementType,
      );
    });
    return list(type ?? this.#substitution.newVariable());
  }

  #map({ entries }: MapLiteral): Type {
    let keyType: Type | undefined;
    let valueType: Type | undefined;
    for (const { key, value, optional: isOptional } of entries) {
      keyType = this.#join(keyType, this.visit(key));
      const type = this.visit(value);
      valueType = this.#join(valueType, isOptional ? this.#unwrapped(value.id, type) : type);
    }
    return map(keyType ?? this.#substitution.newVariable(), valueType ?? this.#substitution.newVariable());
  }

  #message(message: MessageLiteral): Type {
    const name = absolute(message.type);
    const variable = findLocalVariable(this.#scope, name) ?? this.#declarations.variable(name);
    const type = this.#declarations.typeNamed(name);
    if (variable === undefined && type === undefined)
      return this.#report(message.id, `undeclared reference to '${message.type}' (in container '')`);
    const fields = type === undefined ? undefined : messageFields(type);
    let result = type ?? ERROR;
    if (variable !== undefined) result = this.#report(message.id, `'${name}' is not a type`);
    else if (fields === undefined) result = this.#report(message.id, `'${name}' is not a message type`);
    else this.references.set(message.id, { kind: 'name', name, type: result });
    for (const field of message.fields) {
      const written = this.visit(field.value);
      const valueType = field.optional ? this.#unwrapped(field.value.id, written) : written;
      const fieldType = fields?.(field.name);
      if (fields === undefined) continue;
      if (fieldType === undefined) this.#report(field.id, `undefined field '${field.name}'`);
      else if (!this.#assignability.fits(fieldType, valueType)) {
        const problem = `expected type of field '${field.name}' is '${typeName(fieldType)}' but provided type is '${typeName(valueType)}'`;
        this.#report(field.id, problem);
      }
    }
    return result;
  }

  #comprehension(loop: Comprehension): Type {
    const range = this.#substitution.apply(this.visit(loop.range), false);
    const accumulator = this.visit(loop.initial);
    const outer = this.#scope;
    const around: Scope = { name: loop.accumulator, type: accumulator, outer };
    const [first, second] = this.#elementTypes(loop, range);
    this.#scope = { name: loop.variable, type: first, outer: around };
    if (loop.secondVariable !== undefined)
      this.#scope = { name: loop.secondVariable, type: second, outer: this.#scope };
    this.#assert(loop.condition, BOOL);
    this.#assert(loop.step, accumulator);
    this.#scope = around;
    const result = this.visit(loop.result);
    this.#scope = outer;
    return this.#substitution.apply(result, false);
  }

  /** The types of a comprehension's variables for a range; one-variable forms use only the first. */
  #elementTypes(loop: Comprehension, range: Type): readonly [Type, Type] {
    const two = loop.secondVariable !== undefined;
    switch (range.kind) {
      case 'list':
        return two ? [INT, range.element] : [range.element, ERROR];
      case 'map':
        return [range.key, range.value];
      case 'dyn':
      case 'error':
      case 'parameter':
        this.#assignability.fits(DYN, range);
        return [DYN, DYN];
      default: {
        this.#report(
          loop.range.id,
          `expression of type '${typeName(range)}' cannot be range of a comprehension (must be list, map, or dynamic)`,
        );
        return [ERROR, ERROR];
      }
    }
  }

  #assert(expression: Expression, expected: Type): void {
    const type = this.visit(expression);
    if (!this.#assignability.fits(expected, type)) this.#mismatch(expression.id, expected, type);
  }
}
