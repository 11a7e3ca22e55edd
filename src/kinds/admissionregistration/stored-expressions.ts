import type {
  MatchCondition,
  ValidatingAdmissionPolicySpec,
} from '../../model/generated/admissionregistration-v1.ts';
import type { Mutation } from '../../model/generated/admissionregistration-v1alpha1.ts';
import { once } from '../../steps/replay.ts';

type Texts = ReadonlySet<string>;

/**
 * Expressions of a stored policy by field. An update that keeps an expression may use everything that stored
 * expressions may use.
 */
export interface StoredExpressions {
  readonly conditions: Texts;
  readonly variables: Texts;
  readonly validations: Texts;
  readonly messages: Texts;
  readonly annotations: Texts;
}

const texts = (expressions: readonly (string | undefined)[] = []): Texts =>
  new Set(expressions.filter((text) => text !== undefined));

export const storedConditions = (conditions: readonly MatchCondition[] = []): Texts =>
  texts(conditions.map(({ expression }) => expression));

/** The expressions of mutations of one patch type, without blanks around them. */
export const storedMutations = (
  mutations: readonly Mutation[] = [],
  member: 'applyConfiguration' | 'jsonPatch',
): Texts =>
  once(mutations, { place: member, cost: mutations.length }, () =>
    texts(mutations.map((mutation) => mutation[member]?.expression?.trim())),
  );

/** @param spec spec of the stored policy; undefined on creation */
export function storedExpressions(spec: ValidatingAdmissionPolicySpec = {}): StoredExpressions {
  const { variables = [], validations = [] } = spec;
  const cost = variables.length + 2 * validations.length;
  return once(spec, { place: 'expressions', cost }, () => expressionsOf(spec));
}

const expressionsOf = ({
  matchConditions,
  variables,
  validations,
  auditAnnotations,
}: ValidatingAdmissionPolicySpec): StoredExpressions => ({
  conditions: storedConditions(matchConditions),
  variables: texts(variables?.map(({ expression }) => expression)),
  validations: texts(validations?.map(({ expression }) => expression)),
  messages: texts(validations?.map(({ messageExpression }) => messageExpression)),
  annotations: texts(auditAnnotations?.map(({ valueExpression }) => valueExpression?.trim())),
});
