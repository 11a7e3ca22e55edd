import { compile } from '../../cel/compile.ts';
import { declarationsOf } from '../../cel/declarations/declarations.ts';
import { matchCondition } from '../../cel/environments.ts';
import { evaluateConditions, type MatchCondition, type MatchResult } from '../../cel/match-conditions.ts';
import { plan } from '../../cel/planner/program.ts';
import { BoundedMap } from '../../collections/bounded-map.ts';
import type { AdmissionRequest, VersionedObjects } from '../../request/admission.ts';
import type { Authorizer } from '../../request/attributes.ts';
import type { SeenVersion } from '../matching/request-members.ts';
import { RequestBindings } from './request-bindings.ts';

/** Maximum cost of one condition, and of all conditions of a webhook or policy. */
const CONDITION_LIMIT = 1_000_000;
const CONDITIONS_BUDGET = 2_500_000;

/** Maximum compiled expressions of webhooks, shared by their text. */
const COMPILED_EXPRESSIONS = 2048;

const compiled = new BoundedMap<string, MatchCondition>(COMPILED_EXPRESSIONS);

/** Compiles a stored match condition of a webhook. @throws CompileError, ProgramError */
function conditionOf(expression: string): MatchCondition {
  let condition = compiled.get(expression);
  if (condition === undefined) {
    const program = plan(compile(expression, declarationsOf('stored', matchCondition(false))));
    condition = { expression, program };
    compiled.set(expression, condition);
  }
  return condition;
}

/**
 * Evaluates the match conditions of a webhook. An expression that does not compile is an error like one that
 * fails: it was valid for the version that stored it.
 */
export function matchConditions(
  expressions: readonly string[],
  request: AdmissionRequest,
  seen: SeenVersion,
  objects: VersionedObjects,
  authorizer: Authorizer,
): MatchResult | Promise<MatchResult> {
  let conditions: MatchCondition[];
  try {
    conditions = expressions.map(conditionOf);
  } catch (error) {
    return { kind: 'error', message: `compilation failed: ${(error as Error).message}`, failures: 1 };
  }
  const bindings = new RequestBindings(request, seen, objects, authorizer);
  return evaluateConditions(conditions, bindings, { limit: CONDITION_LIMIT, budget: CONDITIONS_BUDGET });
}
