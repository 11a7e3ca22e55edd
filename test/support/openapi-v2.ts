import { OpenApiIndex } from '../../src/handlers/endpoints/openapi-index.ts';
import { DocumentV2 } from '../../src/handlers/endpoints/openapi-v2.ts';
import type { DescribedGroup, DocumentBuilder } from '../../src/openapi/documents.ts';

/** The version 2 document of these groups, encoded. */
export async function documentV2(
  builder: DocumentBuilder,
  groups: readonly DescribedGroup[],
  encoding: 'json' | 'protobuf' = 'json',
): Promise<Buffer> {
  const source = { generation: 1, groups: () => groups as never };
  const index = await new OpenApiIndex([source], '').current(builder);
  return new DocumentV2(encoding).assemble(index, builder, async () => {});
}
