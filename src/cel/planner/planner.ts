import type { CheckedExpression } from '../checked.ts';
import type { FunctionTable, Overload } from '../libraries/function.ts';
import type { Call, Comprehension, Constant, Expression, Identifier, Select } from '../syntax.ts';
import { ErrorValue } from '../values/error-value.ts';
import { intOf } from '../values/integers.ts';
import { ListValue } from '../values/list.ts';
import { Bytes, Double, Uint } from '../values/scalars.ts';
import { TypeValue } from '../values/type-value.ts';
import { isError, type Value } from '../values/value.ts';
import {
  type Attribute,
  evaluateAttribute,
  evaluatePresence,
  resolveAttribute,
  withQualifier,
} from './attribute.ts';
import { type CallTarget, dynamicTarget, evaluateCall, targetOf } from './call.ts';
import {
  evaluateCollector,
  evaluateComprehension,
  evaluateCount,
  evaluateQuantifier,
  LAZY,
} from './comprehension.ts';
import { Frame } from './frame.ts';
import { planList, planMap } from './literals.ts';
import { evaluateAnd, evaluateNotStrictlyFalse, evaluateOr } from './logic.ts';
import { planMembership } from './membership.ts';
import { planMessage } from './message.ts';
import { evaluateEquality, evaluateOrdering, isOrdering } from './operators.ts';
import { evaluateOptionalFallback } from './optional-calls.ts';
import type { Qualifier } from './qualifiers.ts';
import { keyError } from './qualify.ts';
import { Scope } from './scope.ts';
import type { Root } from './selection.ts';
import { NOT_STRICTLY_FALSE, shapeOf } from './shapes.ts';
import { computedStep, constantStep, type Evaluate, ProgramError, type Step } from './step.ts';
import { runtimeNameOf } from './type-names.ts';

/** Conversions of constants that are folded at planning. */
const CONVERSIONS = new Set([
  'bool',
  'bytes',
  'double',
  'duration',
  'dyn',
  'int',
  'list',
  'map',
  'null_type',
  'string',
  'timestamp',
  'type',
  'uint',
]);
const SIZED_ORDERING = /_(?:string|bytes)$/;
const NO_BINDINGS = new Map<string, Value>();

/** Compiles a checked tree to closures. */
export class Planner {
  /** The number of slots for variables of comprehensions. */
  slots = 0;
  private readonly checked: CheckedExpression;
  private readonly functions: FunctionTable;

  constructor(checked: CheckedExpression, functions: FunctionTable) {
    this.checked = checked;
    this.functions = functions;
  }

  /** Plans a node. @throws ProgramError */
  plan(node: Expression, scope: Scope): Step {
    switch (node.kind) {
      case 'literal':
        return constantStep(constantOf(node.constant));
      case 'identifier':
        return this.identifier(node, scope);
      case 'select':
        return this.select(node, scope);
      case 'call':
        return this.call(node, scope);
      case 'list':
        return planList(
          node.elements.map((element) => this.plan(element, scope)),
          node.optionalIndices,
        );
      case 'map':
        return planMap(
          node.entries.map(({ key, value, optional }) => ({
            key: this.plan(key, scope),
            value: this.plan(value, scope),
            optional,
          })),
        );
      case 'message':
        return planMessage(
          node.type.replace(/^\./, ''),
          node.fields.map(({ name, value, optional }) => ({
            name,
            optional,
            value: this.plan(value, scope).evaluate,
          })),
        );
      case 'comprehension':
        return this.comprehension(node, scope);
    }
  }

  private identifier({ id, name }: Identifier, scope: Scope): Step {
    const local = name.startsWith('.') ? undefined : scope.find(name);
    if (local === undefined) return this.named(id, name);
    const { slot, initial } = local;
    if (initial === undefined) return rootStep({ evaluate: (frame) => frame.slots[slot]!, slot });
    const evaluate: Evaluate = (frame) => {
      if (frame.slots[slot] === LAZY) frame.slots[slot] = initial(frame);
      return frame.slots[slot]!;
    };
    return rootStep({ evaluate });
  }

  /** A variable of the environment or a type used as a value. */
  private named(id: number, written: string): Step {
    const reference = this.checked.references.get(id);
    const plain = written.startsWith('.') ? written.slice(1) : written;
    const name = reference?.kind === 'name' ? reference.name : plain;
    if (reference?.kind === 'name' && reference.type !== undefined)
      return constantStep(new TypeValue(runtimeNameOf(reference.type) ?? name));
    const missing = new ErrorValue(`no such attribute(s): ${name}`);
    return rootStep({
      evaluate: (frame) => {
        const value = frame.bindings.get(name);
        return value === undefined ? missing : value;
      },
    });
  }

  private select(node: Select, scope: Scope): Step {
    if (this.checked.references.has(node.id) && !node.testOnly)
      return this.named(node.id, qualifiedName(node) ?? node.field);
    const attribute = attributeOf(this.plan(node.operand, scope));
    if (node.testOnly) return computedStep(evaluatePresence(attribute, node.field));
    return attributeStep(
      withQualifier(attribute, { key: node.field, evaluateKey: undefined, optional: false }),
    );
  }

  private call(node: Call, scope: Scope): Step {
    const { function: name } = node;
    if (name === '_[_]' || name === '_[?_]') return this.index(node, scope, name === '_[?_]');
    if (name === '_?._') return this.optionalSelect(node, scope);
    const overloads = this.overloadsOf(node);
    const receiver = node.target === undefined || overloads.namespaced ? [] : [node.target];
    const args = [...receiver, ...node.arguments].map((argument) => this.plan(argument, scope));
    return operatorStep(name, overloads.ids, args) ?? this.functionCall(overloads, args);
  }

  private functionCall({ name, ids }: Overloads, args: readonly Step[]): Step {
    const only = ids.length === 1 ? this.functions.overload(ids[0]!) : undefined;
    if (only?.overload.id === 'in_list') {
      const [element, list] = args as [Step, Step];
      const folded =
        list.kind === 'constant' && list.value instanceof ListValue
          ? planMembership(element, list.value)
          : undefined;
      if (folded !== undefined) return folded;
    }
    const target =
      only === undefined
        ? this.dynamicTarget(name, args.length)
        : targetOf(only.of, only.overload, prepared(only.overload, args));
    if (CONVERSIONS.has(target.name) && args.length === 1 && args[0]!.kind === 'constant')
      return folded(target, args[0]!.value);
    return computedStep(
      evaluateCall(
        target,
        args.map(({ evaluate }) => evaluate),
      ),
    );
  }

  private dynamicTarget(name: string, count: number): CallTarget {
    const found = this.functions.named(name);
    if (found === undefined)
      throw new ProgramError(`no such overload: ${name}(${new Array(count).fill('arg').join(', ')})`);
    return dynamicTarget(found, count);
  }

  /**
   * The candidate overloads of a call. A namespace in the function's name (`optional` in `optional.of`) is
   * not an argument.
   */
  private overloadsOf(node: Call): Overloads {
    const reference = this.checked.references.get(node.id);
    const ids = reference?.kind === 'overloads' ? reference.ids : [];
    const path = node.target === undefined ? undefined : qualifiedName(node.target);
    const full = path === undefined ? undefined : `${path}.${node.function}`;
    const declared = ids[0] === undefined ? undefined : this.functions.overload(ids[0])?.of.name;
    const namespaced =
      full !== undefined &&
      (declared === undefined ? this.functions.named(full) !== undefined : declared === full);
    return { ids, namespaced, name: namespaced ? full : node.function };
  }

  private index({ arguments: [operand, index] }: Call, scope: Scope, optional: boolean): Step {
    const attribute = attributeOf(this.plan(operand!, scope));
    return attributeStep(withQualifier(attribute, qualifierOf(this.plan(index!, scope), optional)));
  }

  private optionalSelect({ arguments: [operand, field] }: Call, scope: Scope): Step {
    const attribute = attributeOf(this.plan(operand!, scope));
    return attributeStep(withQualifier(attribute, qualifierOf(this.plan(field!, scope), true)));
  }

  private comprehension(node: Comprehension, scope: Scope): Step {
    const range = this.plan(node.range, scope).evaluate;
    const initial = this.plan(node.initial, scope);
    const variable = this.slots++;
    const secondVariable = node.secondVariable === undefined ? undefined : this.slots++;
    const accumulator = this.slots++;
    const free = initial.kind === 'constant';
    const accumulatorVariable = { slot: accumulator, initial: free ? undefined : initial.evaluate };
    const outer = new Scope([[node.accumulator, accumulatorVariable]], scope);
    const variables: [string, { slot: number; initial: undefined }][] = [
      [node.variable, { slot: variable, initial: undefined }],
    ];
    if (secondVariable !== undefined)
      variables.push([node.secondVariable!, { slot: secondVariable, initial: undefined }]);
    const inner = new Scope(variables, outer);
    const parts = {
      range,
      variable,
      secondVariable,
      accumulator,
      initial: free ? initial.evaluate : undefined,
    };
    const shape = shapeOf(node);
    const evaluate = (part: Expression): Evaluate => this.plan(part, inner).evaluate;
    if (shape?.kind === 'quantifier')
      return computedStep(evaluateQuantifier(parts, { ...shape, predicate: evaluate(shape.predicate) }));
    if (shape?.kind === 'count') return computedStep(evaluateCount(parts, evaluate(shape.predicate)));
    if (shape?.kind === 'collector') {
      const predicate = shape.predicate === undefined ? undefined : evaluate(shape.predicate);
      return computedStep(evaluateCollector(parts, { predicate, appended: evaluate(shape.appended) }));
    }
    const [condition, step, result] = [
      evaluate(node.condition),
      evaluate(node.step),
      this.plan(node.result, outer).evaluate,
    ];
    return computedStep(evaluateComprehension({ ...parts, condition, step, result }));
  }
}

interface Overloads {
  readonly ids: readonly string[];
  readonly namespaced: boolean;
  readonly name: string;
}

function operatorStep(name: string, ids: readonly string[], args: readonly Step[]): Step | undefined {
  const [first, second, third] = args;
  if (first === undefined) return undefined;
  if (NOT_STRICTLY_FALSE.has(name)) return computedStep(evaluateNotStrictlyFalse(first.evaluate));
  if (name === '_?_:_') {
    return attributeStep({
      kind: 'conditional',
      condition: first.evaluate,
      truthy: branchOf(second!),
      falsy: branchOf(third!),
    });
  }
  if (second === undefined || third !== undefined) return undefined;
  const [left, right] = [first.evaluate, second.evaluate];
  if (name === '_&&_') return computedStep(evaluateAnd(left, right));
  if (name === '_||_') return computedStep(evaluateOr(left, right));
  if (name === '_==_') return computedStep(evaluateEquality(left, right, false));
  if (name === '_!=_') return computedStep(evaluateEquality(left, right, true));
  if (isOrdering(name))
    return computedStep(
      evaluateOrdering(name, left, right, ids.length === 1 && SIZED_ORDERING.test(ids[0]!)),
    );
  if (ids[0] === 'optional_or_optional') return computedStep(evaluateOptionalFallback(left, right, false));
  if (ids[0] === 'optional_orValue_value') return computedStep(evaluateOptionalFallback(left, right, true));
  return undefined;
}

function attributeStep(attribute: Attribute): Step {
  return { kind: 'attribute', attribute, evaluate: evaluateAttribute(attribute) };
}

function rootStep(root: Root): Step {
  return attributeStep({ kind: 'rooted', root, qualifiers: [] });
}

/**
 * The attribute to extend with a selection: the step's own, or a new one with the step's value as its root.
 */
function attributeOf(step: Step): Attribute {
  return step.kind === 'attribute'
    ? step.attribute
    : { kind: 'rooted', root: { evaluate: step.evaluate }, qualifiers: [] };
}

const branchOf = attributeOf;

function qualifierOf(index: Step, optional: boolean): Qualifier {
  if (index.kind === 'attribute')
    return { key: undefined, evaluateKey: resolveAttribute(index.attribute), optional };
  if (index.kind === 'computed') return { key: undefined, evaluateKey: index.evaluate, optional };
  const invalidKey = keyError(index.value);
  if (invalidKey !== undefined) throw new ProgramError(invalidKey.message);
  return { key: index.value, evaluateKey: undefined, optional };
}

/** The implementation prepared for a constant second argument (a pattern). */
function prepared(overload: Overload, [, second]: readonly Step[]): Overload['invoke'] {
  if (overload.prepare === undefined || second?.kind !== 'constant') return overload.invoke;
  const implementation = overload.prepare(second.value);
  if (typeof implementation === 'function') return implementation;
  throw new ProgramError(isError(implementation) ? implementation.message : 'invalid argument');
}

function folded({ invoke }: CallTarget, argument: Value): Step {
  const value = invoke(new Frame(NO_BINDINGS, 0, {}), argument, null, null, null);
  if (isError(value)) throw new ProgramError(value.message);
  return constantStep(value);
}

function constantOf(constant: Constant): Value {
  switch (constant.type) {
    case 'null':
      return null;
    case 'int':
      return intOf(constant.value);
    case 'uint':
      return new Uint(constant.value);
    case 'double':
      return new Double(constant.value);
    case 'bytes':
      return new Bytes(constant.value);
    default:
      return constant.value;
  }
}

/** The dotted name that a chain of selections spells; undefined for anything else. */
function qualifiedName(node: Expression): string | undefined {
  if (node.kind === 'identifier') return node.name.startsWith('.') ? node.name.slice(1) : node.name;
  if (node.kind !== 'select' || node.testOnly) return undefined;
  const operand = qualifiedName(node.operand);
  return operand === undefined ? undefined : `${operand}.${node.field}`;
}
