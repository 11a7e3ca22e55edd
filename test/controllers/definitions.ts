import type { AnyObject, Api } from './api.ts';

export const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** A definition of a namespaced kind whose objects may contain anything. */
export const definitionOf = (
  plural: string,
  kind: string,
  spec: object = {},
  group = 'example.com',
): AnyObject =>
  ({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural, kind },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
        },
      ],
      ...spec,
    },
  }) as AnyObject;

/** Whether a condition of an object is true. */
const isTrue = (object: AnyObject, type: string): boolean => {
  const { conditions } = ((object as { status?: object }).status ?? {}) as {
    conditions?: { type: string; status: string }[] | null;
  };
  return conditions?.some((one) => one.type === type && one.status === 'True') ?? false;
};

/** Creates a definition, and waits until its objects can be created. */
export async function define(api: Api, ...definition: Parameters<typeof definitionOf>): Promise<void> {
  const { metadata } = await api.call('POST', DEFINITIONS, definitionOf(...definition));
  await api.seen(`${DEFINITIONS}?fieldSelector=metadata.name%3D${metadata!.name}`, (object) =>
    isTrue(object, 'Established'),
  );
}
