export const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** A served version of a definition with this schema; `v1` is stored. `more` has other members of the version. */
export const version = (name, openAPIV3Schema, more = {}) => ({
  name,
  served: true,
  storage: name === 'v1',
  schema: { openAPIV3Schema },
  ...more,
});

/** A CustomResourceDefinition. */
export const definition = (group, scope, names, ...versions) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${names.plural}.${group}` },
  spec: { group, scope, names, versions },
});

/** A schema of objects whose `.spec` has this schema. */
export const specOf = (spec) => ({ type: 'object', properties: { spec } });

/** A step of the setup that waits until lists of these paths are answered. */
export const untilServed = (...paths) =>
  async function untilServed(ctx) {
    for (const path of paths) await ctx.poll({ path }, ({ status }) => status === 200);
  };
