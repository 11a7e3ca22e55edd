import type { DocumentBuilder, DocumentOptions } from '../../openapi/documents.ts';
import { builtinDescriptions } from '../../registry/builtin-resources.ts';
import { publishedType } from '../../registry/object-schema.ts';

/** Creates a builder of OpenAPI documents from the type model. Loads its dependencies on first use. */
export function createDocumentBuilder(
  options: Omit<DocumentOptions, 'kindType' | 'descriptions'>,
): () => Promise<DocumentBuilder> {
  return async () => {
    const [{ DocumentBuilder: Builder }, { createDescriptions }] = await Promise.all([
      import('../../openapi/documents.ts'),
      import('../../openapi/descriptions/index.ts'),
    ]);
    return new Builder({
      ...options,
      kindType: publishedType,
      descriptions: createDescriptions(builtinDescriptions()),
    });
  };
}
