import { jsonObject } from '../../model/json-object.ts';
import { Pace } from '../../steps/pace.ts';
import { stepSizes } from '../../steps/sizes.ts';
import type { Steps } from '../../steps/steps.ts';
import type { Bindings, EvaluationLimits } from '../planner/frame.ts';
import { OptionalValue } from '../values/optional.ts';
import { valueOfSchema } from '../values/schema/index.ts';
import type { Value } from '../values/value.ts';
import type { CompiledRule } from './compile-rules.ts';
import { oldElementsOf } from './old-values.ts';
import {
  childPath,
  defaultMessage,
  isMessage,
  type RuleError,
  reportedPath,
  ruleError,
  ruleText,
} from './rule-errors.ts';
import { valueSchemaOf } from './rule-schema.ts';
import type { RuleTree } from './rule-tree.ts';

/** The maximum total cost of all rules of one object. */
export const RULES_BUDGET = 10_000_000;

/** The maximum cost of one evaluation of one rule. */
export const RULE_LIMIT = 1_000_000;

/** Returns whether the value at a path from the root (names and indexes) counts as unchanged for ratcheting. */
export type UnchangedAt = (path: readonly (string | number)[]) => boolean;

export interface RulesOptions {
  /** The remaining budget. Default: all of it. */
  readonly budget?: number;
  /**
   * Turns failures of values that an update left unchanged into warnings, except for rules that use old values.
   * Without it, each failure is an error.
   */
  readonly isUnchanged?: UnchangedAt;
  readonly expired?: EvaluationLimits['expired'];
}

export interface RulesResult {
  readonly errors: readonly RuleError[];
  /** Errors tolerated for unchanged values (ratcheting). */
  readonly warnings: readonly RuleError[];
  /** The remaining budget; -1 when evaluation was stopped. */
  readonly budget: number;
}

const OUT_OF_BUDGET =
  'validation failed due to running out of cost budget, no further validation rules will be run';
const UNTYPED = 'rule compiler initialization error: failed to convert to declType for CEL validation rules';
const MESSAGE_OUT_OF_BUDGET =
  'messageExpression evaluation failed due to running out of cost budget, no further validation rules will be run';

/** The cost of an evaluation that does nothing. */
const COST_OF_RULE = 200;

/**
 * Evaluates the rules of an object, outer ones first.
 * @param old the object before the change; undefined on create
 */
export function* evaluateRules(
  tree: RuleTree,
  object: unknown,
  old: unknown,
  options: RulesOptions = {},
): Steps<RulesResult> {
  const run = new RulesRun(options);
  yield* run.visit(tree, '', object, old);
  return run;
}

/** Thrown to stop evaluating further rules. */
class EvaluationStopped {}

class RulesRun implements RulesResult {
  readonly errors: RuleError[] = [];
  readonly warnings: RuleError[] = [];
  budget: number;
  private readonly options: RulesOptions;
  /** Names and indexes from the root to the current value. */
  private readonly steps: (string | number)[] = [];
  private readonly pace = new Pace(stepSizes.expressionCost);

  constructor(options: RulesOptions) {
    this.options = options;
    this.budget = options.budget ?? RULES_BUDGET;
  }

  *visit(tree: RuleTree, path: string, object: unknown, old: unknown): Steps<void> {
    try {
      yield* this.node(tree, path, object, old);
    } catch (error) {
      if (!(error instanceof EvaluationStopped)) throw error;
      this.budget = -1;
    }
  }

  private *node(tree: RuleTree, path: string, object: unknown, old: unknown): Steps<void> {
    // Rules of the parent object handle absent and null values.
    if (object === null || object === undefined) return;
    if (tree.own === 'untyped') this.errors.push(ruleError(tree.schema, path, UNTYPED));
    else if (tree.own !== undefined) yield* this.rules(tree, tree.own.rules, path, object, old ?? undefined);
    if (Array.isArray(object)) {
      if (tree.items === undefined) return;
      const oldElement = oldElementsOf(tree.schema, old);
      for (const [index, element] of object.entries()) {
        this.steps.push(index);
        yield* this.node(tree.items, `${path}[${index}]`, element, oldElement(element));
        this.steps.pop();
      }
      return;
    }
    const members = jsonObject(object);
    if (members === undefined || (tree.properties.size === 0 && tree.additionalProperties === undefined))
      return;
    const before = jsonObject(old);
    for (const name of Object.keys(members)) {
      const oldMember = before !== undefined && Object.hasOwn(before, name) ? before[name] : undefined;
      const property = tree.properties.get(name);
      this.steps.push(name);
      if (property !== undefined) yield* this.node(property, childPath(path, name), members[name], oldMember);
      if (tree.additionalProperties !== undefined)
        yield* this.node(tree.additionalProperties, `${path}[${name}]`, members[name], oldMember);
      this.steps.pop();
    }
  }

  private *rules(
    tree: RuleTree,
    rules: readonly CompiledRule[],
    path: string,
    object: unknown,
    old: unknown,
  ): Steps<void> {
    if (this.budget <= 0) this.stop(ruleError(tree.schema, path, OUT_OF_BUDGET));
    const schema = valueSchemaOf(tree.schema, tree.isResource);
    const self = valueOfSchema(object, schema);
    const oldSelf = old === undefined ? undefined : valueOfSchema(old, schema);
    const plain = bindings(self, oldSelf);
    const wrapped = bindings(self, oldSelf === undefined ? OptionalValue.none : OptionalValue.of(oldSelf));
    for (const compiled of rules) {
      const { rule, check, error, usesOldSelf } = compiled;
      if (error !== undefined) this.errors.push(ruleError(tree.schema, path, `rule compile error: ${error}`));
      if (check === undefined) continue;
      const optional = rule.optionalOldSelf === true;
      if (usesOldSelf && old === undefined && !optional) continue;
      const { limit, value, message, cost } = this.evaluate(check.program, optional ? wrapped : plain);
      if (this.pace.isPause(cost + COST_OF_RULE)) yield;
      this.spend(cost, ruleError(tree.schema, path, OUT_OF_BUDGET));
      if (message !== undefined) this.evaluationFailed(tree, path, compiled, message, limit);
      else if (value !== true) yield* this.ruleViolated(tree, path, compiled, plain);
    }
  }

  /** Reports a rule whose evaluation failed. */
  private evaluationFailed(
    { schema }: RuleTree,
    path: string,
    { rule }: CompiledRule,
    message: string,
    limit: boolean,
  ): void {
    const name = ruleText(rule);
    if (limit)
      this.stop(
        ruleError(
          schema,
          path,
          `'${message}': no further validation rules will be run due to call cost exceeds limit for rule: ${name}`,
        ),
      );
    const overload = `'${message}': call arguments did not match a supported operator, function or macro signature for rule: ${name}`;
    this.errors.push(
      ruleError(
        schema,
        path,
        message.startsWith('no such overload') ? overload : `${message} evaluating rule: ${name}`,
      ),
    );
  }

  /** Reports a rule that evaluated to false. */
  private *ruleViolated(
    { schema }: RuleTree,
    path: string,
    { rule, message, usesOldSelf }: CompiledRule,
    variables: Bindings,
  ): Steps<void> {
    const tolerated = !usesOldSelf && this.options.isUnchanged?.(this.steps) === true;
    const list = tolerated ? this.warnings : this.errors;
    let detail = defaultMessage(rule);
    if (message !== undefined) {
      const rendered = this.evaluate(message.program, variables);
      if (this.pace.isPause(rendered.cost + COST_OF_RULE)) yield;
      this.spend(rendered.cost, ruleError(schema, path, MESSAGE_OUT_OF_BUDGET), list);
      if (rendered.limit) {
        const text = `no further validation rules will be run due to call cost exceeds limit for messageExpression: ${rule.messageExpression}`;
        this.stop(ruleError(schema, path, text), list);
      }
      if (isMessage(rendered.value)) detail = rendered.value.trim();
    }
    list.push(ruleError(schema, reportedPath(path, rule, schema), detail, rule.reason));
  }

  private evaluate(
    program: { evaluate: NonNullable<CompiledRule['check']>['program']['evaluate'] },
    variables: Bindings,
  ): Outcome {
    const evaluation = program.evaluate(variables, { limit: RULE_LIMIT, expired: this.options.expired });
    const { kind, cost } = evaluation;
    if (kind === 'value') return { limit: false, value: evaluation.value, cost };
    if (kind === 'suspended') return { limit: false, message: 'an authorization decision is pending', cost };
    return { limit: evaluation.error.reason !== 'failed', message: evaluation.error.message, cost };
  }

  private spend(cost: number, error: RuleError, list = this.errors): void {
    if (cost > this.budget) this.stop(error, list);
    this.budget -= cost;
  }

  private stop(error: RuleError, list = this.errors): never {
    list.push(error);
    throw new EvaluationStopped();
  }
}

interface Outcome {
  /** It was stopped by a limit; no further rules are evaluated. */
  readonly limit: boolean;
  readonly value?: Value;
  readonly message?: string;
  readonly cost: number;
}

function bindings(self: Value, oldSelf: Value | undefined): Bindings {
  return { get: (name) => (name === 'self' ? self : name === 'oldSelf' ? oldSelf : undefined) };
}
