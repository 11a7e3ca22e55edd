import { Pace } from '../../steps/pace.ts';
import { stepSizes } from '../../steps/sizes.ts';
import type { Steps } from '../../steps/steps.ts';
import type { CheckedExpression, Declarations } from '../checked.ts';
import { compile } from '../compile.ts';
import { type EstimateOptions, estimateCost } from '../cost/estimate.ts';
import { declarationsOf, type Generation } from '../declarations/declarations.ts';
import {
  declareSchema,
  maxPerRequest,
  type SchemaDeclaration,
  sizeHintsOf,
} from '../declarations/schema-types.ts';
import { CompileError } from '../errors.ts';
import { type Program, plan } from '../planner/program.ts';
import { ProgramError } from '../planner/step.ts';
import { optional } from '../types.ts';
import { type Rule, type RuleSchema, typeSchemaOf } from './rule-schema.ts';

/** A compiled and planned expression. */
export interface CompiledExpression {
  readonly program: Program;
  /** The maximum cost of one evaluation, by the sizes that the schema allows. */
  readonly maxCost: bigint;
}

/** A compiled rule. A rule without `check` and `error` is blank. */
export interface CompiledRule {
  readonly rule: Rule;
  readonly check?: CompiledExpression;
  /** The compile error of the rule: `compilation failed: …`, `cel expression must evaluate to a bool`. */
  readonly error?: string;
  readonly usesOldSelf: boolean;
  /** The message expression; absent when the rule has none or failed to compile. */
  readonly message?: CompiledExpression;
  readonly messageError?: string;
}

/** The rules of one schema node. */
export interface CompiledRules {
  readonly rules: readonly CompiledRule[];
  /** The minimum size of a value of this node in JSON, in bytes. */
  readonly minSize: number;
  /**
   * The maximum number of values of this node in one request, where the enclosing lists and maps are
   * unbounded.
   */
  readonly maxPerRequest: number;
}

export interface RuleCompilation {
  /** The schema describes a whole (or embedded) object, so apiVersion, kind and metadata are known. */
  readonly isResource?: boolean;
  /** The function set of a rule, by its text. Default: that of stored rules. */
  readonly ruleGeneration?: (text: string) => Generation;
  /** The same for the expressions of messages. */
  readonly messageGeneration?: (text: string) => Generation;
  /** The type name of `self`, as errors print it. */
  readonly typeName?: string;
  /** The minor version (of 1.x) whose functions new rules can use; default: 31. */
  readonly compatibility?: number | undefined;
  readonly estimate?: EstimateOptions | undefined;
}

const SELF_TYPE = 'selfType1';
const stored = (): Generation => 'stored';

/** Cost of compiling a rule beyond its length, in characters. */
const PER_RULE = 64;

/** The pace of the compilation of all rules of a schema. */
export const compilationPace = (): Pace => new Pace(stepSizes.expressionCharacters);

/**
 * Compiles the rules of a schema node, without those below it. Undefined when the values of the node have no
 * type accessible to rules.
 */
export function* compileRules(
  schema: RuleSchema,
  options: RuleCompilation = {},
  pace = compilationPace(),
): Steps<CompiledRules | undefined> {
  const { isResource, ruleGeneration = stored, messageGeneration = stored, typeName = SELF_TYPE } = options;
  const declaration = declareSchema(typeSchemaOf(schema), typeName, isResource);
  if (declaration === undefined) return undefined;
  const compiler = new RuleCompiler(declaration, options);
  const rules: CompiledRule[] = [];
  for (const rule of schema['x-kubernetes-validations'] ?? []) {
    rules.push(compiler.rule(rule, ruleGeneration, messageGeneration));
    if (pace.isPause(PER_RULE + (rule.rule?.length ?? 0) + (rule.messageExpression?.length ?? 0))) yield;
  }
  return {
    rules,
    minSize: declaration.minSize,
    maxPerRequest: maxPerRequest(declaration),
  };
}

class RuleCompiler {
  private readonly declaration: SchemaDeclaration;
  private readonly options: Pick<RuleCompilation, 'compatibility' | 'estimate'>;

  constructor(declaration: SchemaDeclaration, options: RuleCompiler['options']) {
    this.declaration = declaration;
    this.options = options;
  }

  rule(
    rule: Rule,
    ruleGeneration: (text: string) => Generation,
    messageGeneration: (text: string) => Generation,
  ): CompiledRule {
    const { rule: text = '', messageExpression = '', optionalOldSelf = false } = rule;
    if (text.trim() === '') return { rule, usesOldSelf: false };
    const checked = attempt('compilation', () =>
      compile(text, this.declarations(ruleGeneration(text), optionalOldSelf)),
    );
    if (typeof checked === 'string') return { rule, error: checked, usesOldSelf: false };
    if (checked.type.kind !== 'bool')
      return { rule, error: 'cel expression must evaluate to a bool', usesOldSelf: false };
    const usesOldSelf = namesOldSelf(checked);
    const check = attempt('program instantiation', () => this.expression(checked));
    if (typeof check === 'string') return { rule, error: check, usesOldSelf };
    if (messageExpression === '') return { rule, check, usesOldSelf };
    return {
      rule,
      check,
      usesOldSelf,
      ...this.message(
        messageExpression,
        this.declarations(messageGeneration(messageExpression), optionalOldSelf),
      ),
    };
  }

  private message(text: string, declarations: Declarations): Pick<CompiledRule, 'message' | 'messageError'> {
    const checked = attempt('messageExpression compilation', () => compile(text, declarations));
    if (typeof checked === 'string') return { messageError: checked };
    if (checked.type.kind !== 'string')
      return { messageError: 'messageExpression must evaluate to a string' };
    const message = attempt('messageExpression instantiation', () => this.expression(checked));
    return typeof message === 'string' ? { messageError: message } : { message };
  }

  private expression(checked: CheckedExpression): CompiledExpression {
    const hints = sizeHintsOf(this.declaration);
    return { program: plan(checked), maxCost: estimateCost(checked, hints, this.options.estimate).max };
  }

  private declarations(generation: Generation, optionalOldSelf: boolean): Declarations {
    const { type } = this.declaration;
    return declarationsOf(generation, {
      variables: new Map([
        ['self', type],
        ['oldSelf', optionalOldSelf ? optional(type) : type],
      ]),
      compatibility: this.options.compatibility,
    });
  }
}

/** The result of an action, or its error as clients see it. */
function attempt<Result extends object>(what: string, action: () => Result): Result | string {
  try {
    return action();
  } catch (error) {
    if (error instanceof CompileError || error instanceof ProgramError)
      return `${what} failed: ${error.message}`;
    throw error;
  }
}

function namesOldSelf({ references }: CheckedExpression): boolean {
  for (const reference of references.values())
    if (reference.kind === 'name' && reference.name === 'oldSelf') return true;
  return false;
}
