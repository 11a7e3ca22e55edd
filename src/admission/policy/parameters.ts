import type { ParamKind, ParamRef } from '../../model/generated/admissionregistration-v1.ts';
import type { MaybePromise } from '../../steps/steps.ts';
import type { ParameterKind } from './objects.ts';

/**
 * The parameters of a binding: null stands for a policy without parameters. Empty if there are none and the
 * binding allows that.
 */
export type Parameters = readonly (object | null)[];

/** A binding cannot be evaluated; the failure policy decides. Created often, without a stack. */
export interface BindingProblem {
  readonly problem: string;
}

const NO_PARAMETERS: Parameters = [null];
const problem = (text: string): BindingProblem => ({ problem: text });

/**
 * Reads the parameters of a binding.
 * @param kind the served kind of the policy's `paramKind`
 * @param namespace that of the request; empty for cluster-scoped requests
 */
export function parametersOf(
  paramKind: ParamKind | undefined,
  kind: ParameterKind | undefined,
  paramRef: ParamRef | undefined,
  namespace: string,
): MaybePromise<Parameters | BindingProblem> {
  if (paramKind === undefined || paramRef === undefined) return NO_PARAMETERS;
  if (kind === undefined) return problem(`paramKind kind \`${describeKind(paramKind)}\` not known`);
  const { name = '', selector, namespace: own = '' } = paramRef;
  const scope = kind.namespaced ? own || namespace : '';
  if (kind.namespaced && scope === '')
    return problem('cannot use namespaced paramRef in policy binding that matches cluster-scoped resources');
  if (!kind.namespaced && own !== '')
    return problem('paramRef.namespace must not be provided for a cluster-scoped `paramKind`');
  if (name !== '') {
    if (selector !== undefined) return problem('paramRef.name and paramRef.selector are mutually exclusive');
    const found = kind.get(scope, name);
    const wrap = (object: object | undefined) => present(paramRef, object === undefined ? [] : [object]);
    return found instanceof Promise ? found.then(wrap) : wrap(found);
  }
  if (selector === undefined) return problem('one of name or selector must be provided');
  const found = kind.list(scope, selector);
  const check = (objects: Parameters) => present(paramRef, objects);
  return found instanceof Promise ? found.then(check) : check(found);
}

const present = ({ parameterNotFoundAction }: ParamRef, found: Parameters): Parameters | BindingProblem =>
  found.length === 0 && parameterNotFoundAction === 'Deny'
    ? problem('no params found for policy binding with `Deny` parameterNotFoundAction')
    : found;

const describeKind = ({ apiVersion = '', kind = '' }: ParamKind): string =>
  `&ParamKind{APIVersion:${apiVersion},Kind:${kind},}`;
