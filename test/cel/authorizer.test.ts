import { describe, expect, test } from 'vitest';
import {
  type AuthorizationDecision,
  type AuthorizationQuery,
  cachingSource,
} from '../../src/cel/libraries/authorization-source.ts';
import { authorizerValue, requestResourceValue } from '../../src/cel/libraries/authorizer-values.ts';
import { evaluateAsync, plan } from '../../src/cel/planner/program.ts';
import { opaque } from '../../src/cel/types.ts';
import { compileWith, evaluate, outcomeOf, type Variables } from './support/evaluate.ts';

const ALLOWED: AuthorizationDecision = { allowed: true, reason: 'because', error: undefined };
const LIMIT = 1_000_000;

/** The authorizer variables with decisions from a function; `queries` are those it received. */
function authorizer(
  decide: (query: AuthorizationQuery) => AuthorizationDecision | Promise<AuthorizationDecision>,
) {
  const queries: AuthorizationQuery[] = [];
  const source = cachingSource((query) => {
    queries.push(query);
    return decide(query);
  });
  const resource = { group: 'apps', resource: 'deployments', subresource: '', namespace: 'n', name: 'd' };
  const variables: Variables = {
    authorizer: { type: opaque('kubernetes.authorization.Authorizer'), value: authorizerValue(source) },
    'authorizer.requestResource': {
      type: opaque('kubernetes.authorization.ResourceCheck'),
      value: requestResourceValue(source, resource),
    },
  };
  const run = async (text: string) =>
    outcomeOf(
      await evaluateAsync(
        plan(compileWith(text, variables)),
        new Map(Object.entries(variables).map(([name, { value }]) => [name, value])),
        { limit: LIMIT },
      ),
    );
  return { queries, variables, run };
}

describe('authorizer library', () => {
  test('sends the query that the expression builds', async () => {
    const { queries, run } = authorizer(() => ALLOWED);
    const text =
      "authorizer.group('g').resource('r').subresource('s').namespace('n').name('m').fieldSelector('a=b').labelSelector('c').check('get').allowed()";
    expect(await run(text)).toMatchObject({ value: true });
    expect(queries).toEqual([
      {
        serviceAccount: undefined,
        verb: 'get',
        path: undefined,
        group: 'g',
        resource: 'r',
        subresource: 's',
        namespace: 'n',
        name: 'm',
        fieldSelector: 'a=b',
        labelSelector: 'c',
      },
    ]);
  });

  test('restarts an evaluation after a pending decision, without repeating queries or costs', async () => {
    const { queries, run } = authorizer(async ({ verb }) => ({ ...ALLOWED, allowed: verb === 'get' }));
    const text =
      "authorizer.path('/a').check('get').allowed() && !authorizer.path('/a').check('put').allowed()";
    expect(await run(text)).toEqual({ value: true, cost: 700_007 });
    expect(queries.map(({ verb }) => verb)).toEqual(['get', 'put']);
  });

  test('evaluates synchronously when decisions are available', () => {
    const { variables } = authorizer(() => ALLOWED);
    expect(evaluate("authorizer.requestResource.check('x').reason()", variables)).toEqual({
      value: 'because',
      cost: 350_002,
    });
  });

  test('does not send a query that exceeds the cost limit', async () => {
    const { queries, run } = authorizer(async () => ALLOWED);
    expect(await run("['a', 'b', 'c'].all(v, authorizer.path('/').check(v).allowed())")).toMatchObject({
      error: 'operation cancelled: actual cost limit exceeded',
    });
    expect(queries).toHaveLength(2);
  });

  test('reports an authorizer error as a decision, not as an evaluation error', async () => {
    const { run } = authorizer(() => Promise.reject(new Error('out of order')));
    expect(await run("authorizer.path('/').check('get').errored()")).toMatchObject({ value: true });
    expect(await run("authorizer.path('/').check('get').error()")).toMatchObject({ value: 'out of order' });
    expect(await run("authorizer.path('/').check('get').allowed()")).toMatchObject({ value: false });
  });

  test.each([
    ["authorizer.path('').check('get').allowed()", 'path must not be empty'],
    ["authorizer.group('').resource('').check('get').allowed()", 'resource must not be empty'],
    ["authorizer.serviceAccount('n', 'A').path('/').check('get').allowed()", 'Invalid service account name'],
    [
      "authorizer.serviceAccount('a.b', 'a').path('/').check('get').allowed()",
      'Invalid service account namespace',
    ],
  ])('%s fails', async (text, error) => {
    expect(await authorizer(() => ALLOWED).run(text)).toMatchObject({ error });
  });

  test('checks a service account in place of the user', async () => {
    const { queries, run } = authorizer(() => ALLOWED);
    await run("authorizer.serviceAccount('n', 'a.b').path('/x').check('get').allowed()");
    expect(queries[0]).toMatchObject({ serviceAccount: { namespace: 'n', name: 'a.b' }, path: '/x' });
  });
});
