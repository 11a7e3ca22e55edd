import fc from 'fast-check';
import { reviewAccess } from '../../../src/authorization/reviews.ts';
import { uncoveredRules } from '../../../src/authorization/rule-coverage.ts';
import type { PolicyRule } from '../../../src/model/generated/rbac-v1.ts';
import type { Authorizer } from '../../../src/request/attributes.ts';
import { user } from '../../authentication/fixtures.ts';
import { RULES } from '../../support/rule-context.ts';
import { paceCase } from './pace-case.ts';

const names = fc.array(fc.constantFrom('a', 'b', 'c', '*'), { maxLength: 3 });
const rules = fc.array(
  fc.record<PolicyRule>(
    { verbs: names, apiGroups: names, resources: names, resourceNames: names, nonResourceURLs: names },
    { requiredKeys: ['verbs'] },
  ),
  { maxLength: 5 },
);
const specs = fc.record(
  {
    user: fc.string({ maxLength: 2 }),
    groups: names,
    extra: fc.dictionary(fc.string({ maxLength: 3 }), names, { maxKeys: 12 }),
    resourceAttributes: fc.record({
      verb: fc.constantFrom('get', ''),
      resource: fc.constantFrom('pods', ''),
    }),
    nonResourceAttributes: fc.record({ path: fc.constantFrom('/', '/a'), verb: fc.constant('get') }),
  },
  { requiredKeys: [] },
);
/** Tells whom it was asked about. */
const authorizer: Authorizer = {
  name: 'Test',
  authorize: ({ user: { name, extra } }) => ({
    decision: name === 'a' ? 'allow' : 'no-opinion',
    reason: JSON.stringify([...(extra ?? [])]),
  }),
};

export const AUTHORIZATION_CASES = [
  paceCase('authorization/reviews.ts reviewAccess', specs, (spec) =>
    reviewAccess('SubjectAccessReview', { metadata: {}, spec } as never, user('me'), authorizer, RULES),
  ),
  paceCase('authorization/rule-coverage.ts uncoveredRules', fc.tuple(rules, rules), ([owned, requested]) =>
    uncoveredRules(owned, requested),
  ),
];
