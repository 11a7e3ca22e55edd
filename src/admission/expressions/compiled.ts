import { createHash } from 'node:crypto';
import {
  CompileError,
  compile,
  DYN,
  declarationsOf,
  declaredTypeName,
  type Environment,
  matchCondition,
  type PolicyOptions,
  type Program,
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
import { BoundedMap } from '../../collections/bounded-map.ts';

/** An expression of a stored object. */
export interface CompiledExpression {
  readonly text: string;
  /** Absent if the expression does not compile. */
  readonly program?: Program;
  /** Why it does not compile: `compilation failed: …`, `must evaluate to bool but got int`. */
  readonly error?: string;
  /** The type of the result; dynamic if it does not compile. */
  readonly type: Type;
}

/** The fields of the API that hold expressions, with their environments. */
const PLACES = {
  condition: ({ params }: PolicyOptions): Environment => matchCondition(params),
  variable: policyVariable,
  validation: policyValidation,
  message: policyMessage,
  annotation: policyAuditAnnotation,
  configuration: policyApplyConfiguration,
  patch: policyJsonPatch,
} as const;

export type ExpressionPlace = keyof typeof PLACES;

/** The variables that an expression can refer to. */
export class VariableScope {
  readonly #types = new Map<string, Type>();
  readonly #names = createHash('sha256');
  /** The type of `variables`; undefined before the first variable is declared. */
  type: Type | undefined;
  /** Equal for scopes with the same variables of the same types. */
  signature = '';

  add(name: string, type: Type): void {
    const visible = variableType(type);
    this.#types.set(name, visible);
    this.type ??= variablesType(this.#types);
    this.#names.update(JSON.stringify([name, declaredTypeName(visible)]));
    this.signature = this.#names.copy().digest('base64');
  }
}

export const NO_VARIABLES = new VariableScope();

/** Maximum number of compiled expressions that are shared between objects. */
const SHARED_EXPRESSIONS = 4096;
/** Expressions above this length, in characters, are not shared: they are rarely equal, and they are large. */
const SHARED_LENGTH = 16 * 1024;

const shared = new BoundedMap<string, CompiledExpression>(SHARED_EXPRESSIONS);

/**
 * Compiles an expression of a stored object. Equal expressions in equal environments are compiled once. Never
 * throws.
 * @param params whether `params` is available
 */
export function compileExpression(
  text: string,
  place: ExpressionPlace,
  params: boolean,
  scope: VariableScope = NO_VARIABLES,
): CompiledExpression {
  if (text.length > SHARED_LENGTH) return compileIn(text, place, params, scope);
  const key = `${place} ${params} ${scope.signature} ${text}`;
  let known = shared.get(key);
  if (known === undefined) {
    known = compileIn(text, place, params, scope);
    shared.set(key, known);
  }
  return known;
}

function compileIn(
  text: string,
  place: ExpressionPlace,
  params: boolean,
  { type: variables }: VariableScope,
): CompiledExpression {
  const failed = (error: string): CompiledExpression => ({ text, error, type: DYN });
  try {
    const environment = PLACES[place]({ params, variables });
    const checked = compile(text, declarationsOf('stored', environment));
    const wrong = resultTypeError(environment, checked.type);
    return wrong === undefined ? { text, program: plan(checked), type: checked.type } : failed(wrong);
  } catch (error) {
    if (error instanceof CompileError) return failed(`compilation failed: ${error.message}`);
    if (error instanceof ProgramError) return failed(`program instantiation failed: ${error.message}`);
    throw error;
  }
}
