import { kindType } from '../../model/scheme.ts';
import type { DocumentMaker, DocumentOptions } from '../../openapi/documents.ts';

/** Creates a builder of OpenAPI documents from the type model. Loads its dependencies on first use. */
export function createDocumentBuilder(
  options: Omit<DocumentOptions, 'kindType' | 'descriptions'>,
): () => Promise<DocumentMaker> {
  return async () => {
    const [{ DocumentMaker: Maker }, { descriptions }] = await Promise.all([
      import('../../openapi/documents.ts'),
      import('../../openapi/descriptions/index.ts'),
    ]);
    return new Maker({ ...options, kindType, descriptions });
  };
}
