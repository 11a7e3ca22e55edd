import { quote } from '../../errors/quote.ts';
import type { CustomResourceDefinition } from '../../model/generated/apiextensions-v1.ts';
import type { Life } from '../../model/life.ts';
import type { RuleContext } from '../../model/rule-context.ts';
import type { StrategyContext } from '../strategy.ts';
import { isUnrecognizedFormat } from './formats.ts';
import { factsOf, type SchemaFacts } from './schema-facts.ts';

/** The releases that warn about formats. */
const WARNS_ABOUT_FORMATS: Life = { since: '1.34' };
/** The releases that warn about sets whose items are not scalars. */
const WARNS_ABOUT_SETS: Life = { since: '1.37' };

/** Warns about formats that no server checks, unless the definition had them before. */
export function formatWarnings(
  definition: CustomResourceDefinition,
  old: CustomResourceDefinition | undefined,
  { has, subresource }: Pick<StrategyContext, 'has' | 'subresource'>,
): string[] {
  if (!has(WARNS_ABOUT_FORMATS) || subresource !== '') return [];
  const unrecognized = ({ formats }: SchemaFacts): Set<string> =>
    new Set(
      [...formats.values()]
        .filter((schema) => isUnrecognizedFormat(schema, has))
        .map(({ format = '' }) => format),
    );
  return added(definition, old, unrecognized).map((format) => `unrecognized format ${quote(format)}`);
}

/** Warns about sets that neither server-side apply nor rules treat as sets, unless the definition had such. */
export function setWarnings(
  definition: CustomResourceDefinition,
  old: CustomResourceDefinition | undefined,
  { has }: Pick<RuleContext, 'has'>,
): string[] {
  if (!has(WARNS_ABOUT_SETS)) return [];
  return added(definition, old, ({ typesInSets }) => typesInSets)
    .sort()
    .map(
      (type) =>
        `x-kubernetes-list-type: set for items of type "${type}" is not supported by server-side apply or CEL validation rules`,
    );
}

type Finding = (facts: SchemaFacts) => ReadonlySet<string>;

/** What the schemas of a definition have and those of the old one have not, in the order of the schemas. */
function added(
  definition: CustomResourceDefinition,
  old: CustomResourceDefinition | undefined,
  finding: Finding,
): string[] {
  const known = found(old, finding);
  return [...found(definition, finding)].filter((one) => !known.has(one));
}

const found = (definition: CustomResourceDefinition | undefined, finding: Finding): ReadonlySet<string> =>
  new Set(
    (definition?.spec?.versions ?? []).flatMap(({ schema }) => [
      ...finding(factsOf(schema?.openAPIV3Schema)),
    ]),
  );
