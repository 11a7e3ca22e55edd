import type { TypeModel } from '../../model/type-model.ts';
import type { DocumentBuilder, DocumentOptions } from '../../openapi/documents.ts';

/** Creates a builder of OpenAPI documents from the type model. Loads its dependencies on first use. */
export function createDocumentBuilder(
  types: TypeModel,
  descriptions: () => Readonly<Record<string, string>>[],
  options: Omit<DocumentOptions, 'kindType' | 'descriptions'>,
): () => Promise<DocumentBuilder> {
  return async () => {
    const [{ DocumentBuilder: Builder }, { createDescriptions }] = await Promise.all([
      import('../../openapi/documents.ts'),
      import('../../openapi/descriptions/index.ts'),
    ]);
    return new Builder({
      ...options,
      kindType: (group, version, kind) => types.ofKind(group, version, kind),
      descriptions: createDescriptions(descriptions()),
    });
  };
}
