import { CRDS, definition, specOf, untilServed, version } from '../../helpers/definitions.mjs';

const GROUPS = ['two-words.example.com', '3rd.example.com', 'a-1b.k8s.test'];
const choice = { 'x-kubernetes-int-or-string': true };
const types = [{ type: 'integer' }, { type: 'string' }];
const spec = {
  type: 'object',
  properties: {
    plain: choice,
    named: { ...choice, anyOf: types },
    first: { ...choice, allOf: [{ anyOf: types }, { pattern: '^1' }] },
    other: { ...choice, anyOf: [{ pattern: '^1' }, { maximum: 5 }], allOf: [{ minLength: 1 }] },
  },
};
const papers = (group) =>
  definition(group, 'Cluster', { plural: 'papers', kind: 'Paper' }, version('v1', specOf(spec)));
/** The operations with their tags, and the schema of the spec. */
const outline = (group, suffix) => async (ctx) => {
  const { body } = await ctx.poll({ path: `/openapi/v3/apis/${group}/v1` }, ({ status }) => status === 200);
  const operations = Object.values(body.paths).flatMap((path) =>
    Object.values(path).flatMap(({ operationId, tags }) => (operationId ? [[operationId, tags]] : [])),
  );
  const [, schema] = Object.entries(body.components.schemas).find(([name]) => name.endsWith(suffix));
  return { operations, spec: schema.properties.spec };
};

export default {
  title: 'Documents of groups with dashes and digits; the types of integers or strings',
  profile: 'extensions',
  setup: [
    ...GROUPS.map((group) => ({ method: 'POST', path: CRDS, body: papers(group) })),
    ...GROUPS.map((group) => untilServed(`/apis/${group}/v1/papers`)),
  ],
  steps: [
    ...GROUPS.map((group) => ({ name: `the document of ${group}`, run: outline(group, '.v1.Paper') })),
    { name: 'an unknown field of a selector', path: `/apis/${GROUPS[0]}/v1/papers?fieldSelector=spec.x%3Dy` },
    {
      name: 'the namespace in a selector',
      path: `/apis/${GROUPS[0]}/v1/papers?fieldSelector=metadata.namespace%3Dy`,
    },
  ],
};
