import {
  CompileError,
  compile,
  declarationsOf,
  declaredTypeName,
  estimateCost,
  JsonConversionError,
  jsonOfValue,
  ProgramError,
  plan,
  RULE_LIMIT,
  type RuleSchema,
  resultTypeError,
  type Value,
} from '../../cel/index.ts';
import { writePlain } from '../../codec/json-plain.ts';
import { ConfigurationError } from '../../errors/configuration-error.ts';
import type { CommandOutput } from '../output.ts';
import { bindingsIn, ENVIRONMENTS, ruleEnvironment } from './environments.ts';
import { wireValue } from './wire-value.ts';

/** The input of an expression, as plain JSON. */
export interface ExpressionInput {
  readonly self: unknown;
  readonly old: unknown;
  /** Gives `self` its types; for rules only. */
  readonly schema: RuleSchema | undefined;
  /** Default: that of rules. */
  readonly environment: string | undefined;
  readonly variables: ReadonlyMap<string, unknown>;
}

const MAX_COST = 2n ** 64n - 1n;

/**
 * Evaluates an expression and prints its value, type and costs, or why there is no value.
 * @returns the exit code
 */
export function tryExpression(text: string, trial: ExpressionInput, { out, error }: CommandOutput): number {
  const named = environmentOf(trial);
  const { environment, generation, hints } = named;
  try {
    const checked = compile(text, declarationsOf(generation, environment));
    const wrong = resultTypeError(environment, checked.type);
    const { min, max } = estimateCost(checked, hints);
    const lines = [
      ['type', declaredTypeName(checked.type)],
      ['estimated cost', `${min} to ${max === MAX_COST ? 'unlimited' : max}`],
    ];
    const show = (more: readonly (readonly string[])[]): void => {
      for (const [name = '', value = ''] of [...more, ...lines]) out(`${name.padEnd(16)}${value}\n`);
    };
    if (wrong !== undefined) {
      show([]);
      error(`Error: ${wrong}\n`);
      return 1;
    }
    const evaluation = plan(checked).evaluate(bindingsIn(named, trial), { limit: RULE_LIMIT });
    const cost = ['cost', `${evaluation.cost}`];
    if (evaluation.kind === 'value') {
      show([['value', formatValue(evaluation.value)], cost]);
      return 0;
    }
    show([cost]);
    error(
      `Error: ${evaluation.kind === 'error' ? evaluation.error.message : 'the expression calls the authorizer, which is not available here'}\n`,
    );
    return 1;
  } catch (problem) {
    if (problem instanceof CompileError) error(`${problem.message}\n`);
    else if (problem instanceof ProgramError) error(`Error: ${problem.message}\n`);
    else throw problem;
    return 1;
  }
}

function environmentOf({ environment = 'rule', schema }: ExpressionInput) {
  const named = ENVIRONMENTS.get(environment);
  if (named === undefined)
    throw new ConfigurationError(
      `unknown environment ${JSON.stringify(environment)}; use one of ${[...ENVIRONMENTS.keys()].join(', ')}`,
    );
  if (schema === undefined) return named;
  if (environment !== 'rule')
    throw new ConfigurationError(
      '--schema applies to the environment rule only: other environments have fixed types',
    );
  return ruleEnvironment(schema);
}

function formatValue(value: Value): string {
  try {
    return writePlain(jsonOfValue(value));
  } catch (error) {
    if (!(error instanceof JsonConversionError)) throw error;
    return writePlain(wireValue(value));
  }
}
