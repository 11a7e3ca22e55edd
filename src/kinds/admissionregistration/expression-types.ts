import {
  CompileError,
  compile,
  DYN,
  declarationsOf,
  type Environment,
  matchCondition,
  ProgramError,
  plan,
  policyApplyConfiguration,
  policyAuditAnnotation,
  policyJsonPatch,
  policyMessage,
  policyValidation,
  policyVariable,
  resultTypeError,
  type Type,
  variablesType,
  variableType,
} from '../../cel/index.ts';
import type { ExpressionEnvironment, ExpressionProblem } from './expressions.ts';

type Variables = ExpressionEnvironment['variables'];

/** Compiles an expression and checks its result type. */
export function checkExpression(
  expression: string,
  environment: ExpressionEnvironment,
): ExpressionProblem | undefined {
  const { variables, visibleVariables } = environment;
  const types = variables.length === 0 ? undefined : typesOf(variables);
  if (types === undefined || visibleVariables === undefined) {
    types?.check(variables.length - 1, environment);
    return typeOf(expression, environment, types?.type).problem;
  }
  return types.check(visibleVariables, environment);
}

const known = new WeakMap<Variables, VariableTypes>();

function typesOf(variables: Variables): VariableTypes {
  let types = known.get(variables);
  if (types === undefined) {
    types = new VariableTypes(variables);
    known.set(variables, types);
  }
  return types;
}

/** Types of a policy's variables, compiled in order; each variable can refer to the previous ones. */
class VariableTypes {
  private readonly variables: Variables;
  private readonly fields = new Map<string, Type>();
  private readonly problems: (ExpressionProblem | undefined)[] = [];
  /** Type of `variables`, with the fields compiled so far. */
  readonly type: Type = variablesType(this.fields);

  constructor(variables: Variables) {
    this.variables = variables;
  }

  /** Compiles the variables up to an index and returns the problem of the last one. */
  check(place: number, environment: ExpressionEnvironment): ExpressionProblem | undefined {
    for (let index = this.problems.length; index <= place; index++) {
      const { name, expression } = this.variables[index]!;
      const isBlank = expression.trim() === '';
      const { type = DYN, problem } = isBlank
        ? {}
        : typeOf(expression, { ...environment, hasAuthorizer: true, results: [] }, this.type);
      if (!isBlank) this.fields.set(name, variableType(type));
      this.problems.push(problem);
    }
    return this.problems[place];
  }
}

function typeOf(
  expression: string,
  environment: ExpressionEnvironment,
  variables: Type | undefined,
): { type?: Type; problem?: ExpressionProblem } {
  const place = placeOf(environment, variables);
  let type: Type | undefined;
  const problem = attempt(() => {
    const checked = compile(
      expression,
      declarationsOf(environment.stored.has(expression) ? 'stored' : 'new', {
        ...place,
        compatibility: environment.compatibility,
      }),
    );
    const text = resultTypeError(place, checked.type);
    if (text !== undefined) return { text };
    plan(checked);
    type = checked.type;
    return undefined;
  });
  return { type, problem };
}

function attempt(action: () => ExpressionProblem | undefined): ExpressionProblem | undefined {
  try {
    return action();
  } catch (error) {
    if (error instanceof CompileError) return { text: `compilation failed: ${error.message}` };
    if (error instanceof ProgramError)
      return { text: `program instantiation failed: ${error.message}`, isInternal: true };
    throw error;
  }
}

/** Returns the CEL environment for an expression. */
function placeOf(
  { hasParams, hasAuthorizer, results }: ExpressionEnvironment,
  variables: Type | undefined,
): Environment {
  const options = { params: hasParams, variables };
  if (!hasAuthorizer) return policyMessage(options);
  if (results === 'Object') return policyApplyConfiguration(options);
  if (results === 'JSONPatch') return policyJsonPatch(options);
  if (results.length === 0) return policyVariable(options);
  if (results.includes('null_type')) return policyAuditAnnotation(options);
  return variables === undefined ? matchCondition(hasParams) : policyValidation(options);
}
