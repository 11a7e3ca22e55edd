import type { Scheme } from '../../model/scheme.ts';
import type { DocumentBuilder, DocumentOptions } from '../../openapi/documents.ts';

/** Creates a builder of OpenAPI documents from the type model. Loads its dependencies on first use. */
export function createDocumentBuilder(
  scheme: Scheme,
  descriptions: () => Readonly<Record<string, string>>[],
  options: Omit<DocumentOptions, 'minor' | 'kindType' | 'descriptions'>,
): () => Promise<DocumentBuilder> {
  return async () => {
    const [{ DocumentBuilder: Builder }, { createDescriptions }] = await Promise.all([
      import('../../openapi/documents.ts'),
      import('../../openapi/descriptions/index.ts'),
    ]);
    return new Builder({
      ...options,
      minor: scheme.minor,
      kindType: (group, version, kind) => scheme.types.ofKind(group, version, kind),
      descriptions: createDescriptions(descriptions()),
    });
  };
}
