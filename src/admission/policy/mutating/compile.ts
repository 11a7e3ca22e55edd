import type { ComposedVariable } from '../../../cel/index.ts';
import type { MutatingAdmissionPolicySpec } from '../../../model/generated/admissionregistration-v1alpha1.ts';
import type { Steps } from '../../../steps/steps.ts';
import { type CompiledExpression, compileExpression } from '../../expressions/compiled.ts';
import { type CompiledConditions, compileConditions } from '../../expressions/conditions.ts';
import { compileVariables } from '../compile.ts';

/** A mutation of a policy. */
export interface CompiledMutation {
  readonly type: 'configuration' | 'patch';
  readonly expression: CompiledExpression;
}

/** A mutating policy whose expressions are compiled. Those that do not compile have their error. */
export interface CompiledMutatingPolicy {
  readonly conditions: CompiledConditions | undefined;
  readonly variables: ReadonlyMap<string, ComposedVariable>;
  readonly mutations: readonly CompiledMutation[];
  /** `reinvocationPolicy: IfNeeded`. */
  readonly isReinvoked: boolean;
}

/** Compiles a policy. Never throws. */
export function* compileMutatingPolicy(
  spec: MutatingAdmissionPolicySpec = {},
): Steps<CompiledMutatingPolicy> {
  const params = spec.paramKind !== undefined;
  const conditions = yield* compileConditions(spec.matchConditions, params);
  const { variables, scope } = yield* compileVariables(spec.variables, params);
  const mutations: CompiledMutation[] = [];
  for (const { patchType, applyConfiguration, jsonPatch } of spec.mutations ?? []) {
    const type = patchType === 'JSONPatch' ? 'patch' : 'configuration';
    const { expression = '' } = (type === 'patch' ? jsonPatch : applyConfiguration) ?? {};
    mutations.push({ type, expression: compileExpression(expression, type, params, scope) });
    yield;
  }
  return { conditions, variables, mutations, isReinvoked: spec.reinvocationPolicy === 'IfNeeded' };
}
