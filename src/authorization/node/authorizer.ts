import { quote } from '../../errors/quote.ts';
import type { PolicyRule } from '../../model/generated/rbac-v1.ts';
import type { Authorizer } from '../../request/attributes.ts';
import { nodeName } from '../../request/node-identity.ts';
import { compileRule, ruleAllows, ruleRequest } from '../rule-matching.ts';
import { ALLOW, type AskingNode, DECISIONS, denyRequest, NO_OPINION } from './decisions.ts';

export interface NodeAuthorizerOptions extends Omit<AskingNode, 'name'> {
  /** Rules of every node for resources that are not restricted per node. */
  readonly rules: readonly PolicyRule[];
}

/**
 * Allows kubelets to access the objects that are related to their node. Returns no opinion for other users.
 */
export function createNodeAuthorizer({ relations, rules, selectors }: NodeAuthorizerOptions): Authorizer {
  const compiled = rules.map(compileRule);
  return {
    name: 'Node',
    authorize(attributes) {
      const name = nodeName(attributes.user);
      if (name === undefined) return NO_OPINION;
      if (name === '') return denyRequest(`unknown node for user ${quote(attributes.user.name)}`);
      if (attributes.isResource) {
        const decide = DECISIONS.get(`${attributes.group}/${attributes.resource}`);
        const result = decide?.({ name, relations, selectors }, attributes);
        if (result !== undefined) return result;
      }
      const request = ruleRequest(attributes);
      return compiled.some((rule) => ruleAllows(rule, request)) ? ALLOW : NO_OPINION;
    },
    rulesFor: (user) => ({
      resourceRules: [],
      nonResourceRules: [],
      ...(nodeName(user) === undefined
        ? { incomplete: false }
        : { incomplete: true, evaluationError: 'node authorizer does not support user rule resolution' }),
    }),
  };
}
