import type { Scheme } from '../../model/scheme.ts';
import type { DocumentBuilder, DocumentOptions } from '../../openapi/documents.ts';
import { emulationMembers } from './version.ts';

/** Creates a builder of OpenAPI documents from the type model. Loads its dependencies on first use. */
export function createDocumentBuilder(
  scheme: Scheme,
  options: Omit<DocumentOptions, 'release' | 'kindType' | 'descriptions'>,
): () => Promise<DocumentBuilder> {
  return async () => {
    const [{ DocumentBuilder: Builder }, { createDescriptions }] = await Promise.all([
      import('../../openapi/documents.ts'),
      import('../../openapi/descriptions/index.ts'),
    ]);
    return new Builder({
      ...options,
      release: {
        minor: scheme.minor,
        groupVersions: scheme.groupVersions,
        optionalVersionMembers: Object.keys(emulationMembers(scheme)),
      },
      kindType: (group, version, kind) => scheme.types.ofKind(group, version, kind),
      descriptions: createDescriptions(),
    });
  };
}
