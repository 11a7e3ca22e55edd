import { expect, it } from 'vitest';
import { createNodeAuthorizer } from '../../../src/authorization/node/authorizer.ts';
import { NodeRelations } from '../../../src/authorization/node/relations.ts';
import { nodeRules } from '../../../src/bootstrap/node-roles.ts';
import type { Pod } from '../../../src/model/generated/core-v1.ts';
import { user } from '../../authentication/fixtures.ts';
import { leastRatio, processorTime } from '../../support/processor-time.ts';
import { RULES } from '../../support/rule-context.ts';
import { attributes } from '../fixtures.ts';

const DECISIONS = 50_000;

/** An authorizer with pods on a thousand nodes that all mount one config map. */
function filled(pods: number): ReturnType<typeof createNodeAuthorizer> {
  const relations = new NodeRelations();
  for (let index = 0; index < pods; index++)
    relations.setPod({
      metadata: { namespace: 'ns', name: `p${index}`, uid: `uid-${index}` },
      spec: {
        nodeName: `node-${index % 1000}`,
        serviceAccountName: 'default',
        containers: [],
        volumes: [{ name: 'v', configMap: { name: 'kube-root-ca.crt' } }],
      },
    } as unknown as Pod);
  return createNodeAuthorizer({ relations, rules: nodeRules(RULES), selectors: true });
}

it('a decision takes constant time for a thousand and a hundred thousand pods', () => {
  const node = user('system:node:node-7', ['system:nodes', 'system:authenticated']);
  const request = attributes({
    user: node,
    namespace: 'ns',
    resource: 'configmaps',
    name: 'kube-root-ca.crt',
  });
  const [few, many] = [filled(1000), filled(100_000)];
  expect(many.authorize(request)).toMatchObject({ decision: 'allow' });
  const decide = (authorizer: typeof few) => () =>
    processorTime(() => {
      for (let index = 0; index < DECISIONS; index++) authorizer.authorize(request);
    });
  // A linear search would take a hundred times as long.
  expect(leastRatio(decide(many), decide(few), 5)).toBeLessThan(5);
});
