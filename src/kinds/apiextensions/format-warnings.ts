import { quote } from '../../errors/quote.ts';
import type {
  CustomResourceDefinition,
  CustomResourceDefinitionVersion,
} from '../../model/generated/apiextensions-v1.ts';
import type { Life } from '../../model/life.ts';
import { isKnownFormat } from '../../schema/structural/formats.ts';
import type { StrategyContext } from '../strategy.ts';
import { schemaLevels } from './schema-walk.ts';

/** The releases that warn. */
const WARNS_OF_FORMATS: Life = { since: '1.34' };

/**
 * The warnings of a definition about formats of texts that no server checks. Those that the definition had before are
 * not repeated.
 */
export function formatWarnings(
  definition: CustomResourceDefinition,
  old: CustomResourceDefinition | undefined,
  { has, subresource }: Pick<StrategyContext, 'has' | 'subresource'>,
): string[] {
  if (!has(WARNS_OF_FORMATS) || subresource !== '') return [];
  const known = unrecognizedFormats(old?.spec?.versions);
  return [...unrecognizedFormats(definition.spec?.versions)]
    .filter((format) => !known.has(format))
    .map((format) => `unrecognized format ${quote(format)}`);
}

function unrecognizedFormats(versions: readonly CustomResourceDefinitionVersion[] = []): Set<string> {
  const found = new Set<string>();
  for (const { schema } of versions)
    if (schema?.openAPIV3Schema != null)
      for (const level of schemaLevels(schema.openAPIV3Schema))
        for (const { type, format } of level)
          if (type === 'string' && format && !isKnownFormat(format)) found.add(format);
  return found;
}
