import type {
  CustomResourceDefinitionSpec,
  JSONSchemaProps,
} from '../../model/generated/apiextensions-v1.ts';
import { Pace } from '../../steps/pace.ts';
import { onceInTurns, resultsOfEach } from '../../steps/replay.ts';
import { stepSizes } from '../../steps/sizes.ts';
import type { Steps } from '../../steps/steps.ts';
import { isUnsupported } from './schema-validation.ts';
import { addChildren, elementOf, MAXIMUM_DEPTH } from './schema-walk.ts';

/** What a walk through all schemas of a tree finds. The schemas below the maximum depth are not visited. */
export interface SchemaFacts {
  /** Number of schemas. */
  count: number;
  isTooDeep: boolean;
  /** A schema has `$schema`. */
  hasDialect: boolean;
  /** All keywords are supported, so that structural validation can run. */
  isSupported: boolean;
  hasDefaults: boolean;
  /** Estimated length of all rules, in characters. */
  sizeOfRules: number;
  /** The types of the items of sets that are not scalars. */
  typesInSets: Set<'array' | 'object'>;
  /** A schema for each pair of a type and a format. */
  formats: Map<string, Pick<JSONSchemaProps, 'type' | 'format'>>;
}

/** Compilation cost of a rule beyond its length, in characters. */
const PER_RULE = 64;

/** Returns the facts about a schema; validation walks through it once, and can pause on the way. */
export const factsOf = (root: JSONSchemaProps = NO_SCHEMA): SchemaFacts =>
  onceInTurns(root, FACTS, () => walk(root));

/** A visit takes about one microsecond. */
const FACTS = { place: 'facts', cost: ({ count }: SchemaFacts): number => count };

const NO_SCHEMA: JSONSchemaProps = {};

/** Visits the schemas of a tree by level: request bodies can nest schemas deeply. */
function* walk(root: JSONSchemaProps): Steps<SchemaFacts> {
  const facts: SchemaFacts = {
    count: 0,
    isTooDeep: false,
    hasDialect: false,
    isSupported: true,
    hasDefaults: false,
    sizeOfRules: 0,
    typesInSets: new Set(),
    formats: new Map(),
  };
  const pace = new Pace(stepSizes.nodes);
  let level = [root];
  for (let depth = 0; level.length > 0 && depth <= MAXIMUM_DEPTH; depth += 1) {
    facts.isTooDeep = depth >= MAXIMUM_DEPTH;
    const next: JSONSchemaProps[] = [];
    for (const schema of level) {
      note(facts, schema);
      addChildren(schema, next);
      if (pace.isPause()) yield;
    }
    level = next;
  }
  return facts;
}

function note(facts: SchemaFacts, schema: JSONSchemaProps): void {
  const { type, format } = schema;
  facts.count += 1;
  if (format) facts.formats.set(`${type} ${format}`, { type, format });
  if (schema.$schema) facts.hasDialect = true;
  if (schema['x-kubernetes-list-type'] === 'set') noteSet(facts, schema);
  if (schema.default !== undefined) facts.hasDefaults = true;
  if (facts.isSupported && isUnsupported(schema)) facts.isSupported = false;
  for (const { rule = '', messageExpression = '' } of schema['x-kubernetes-validations'] ?? [])
    facts.sizeOfRules += PER_RULE + rule.length + messageExpression.length;
}

function noteSet({ typesInSets }: SchemaFacts, schema: JSONSchemaProps): void {
  const type = elementOf(schema)?.type;
  if (type === 'array' || type === 'object') typesInSets.add(type);
}

/** Maximum cost of a walk of a whole schema, in microseconds: nothing else is done in the same step. */
const WALK_COST = 8192;

/** Cost of a walk of a schema in one part, about one microsecond for each inner schema. */
export const costOfWalk = (schema: JSONSchemaProps): number => Math.min(factsOf(schema).count, WALK_COST);

/** Returns a sum over the schemas of all versions. */
const sumOf = (
  { versions = [] }: CustomResourceDefinitionSpec,
  place: string,
  of: (root: JSONSchemaProps) => number,
): number =>
  resultsOfEach(versions, { place }, ({ schema }) =>
    schema?.openAPIV3Schema === undefined ? 0 : of(schema.openAPIV3Schema),
  ).reduce((sum, one) => sum + one, 0);

/** Cost of a walk of the schemas of all versions. */
export const costOfSchemas = (spec: CustomResourceDefinitionSpec): number =>
  sumOf(spec, 'cost of walks', costOfWalk);

/** Cost of compiling the rules of a schema in their first step, in microseconds; 0 without rules. */
export const costOfRules = (root: JSONSchemaProps): number =>
  Math.min(factsOf(root).sizeOfRules, stepSizes.expressionCharacters);
