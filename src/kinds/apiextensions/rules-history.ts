import type {
  CustomResourceDefinitionSpec,
  JSONSchemaProps,
  ValidationRule,
} from '../../model/generated/apiextensions-v1.ts';
import { once } from '../../steps/replay.ts';
import { semanticEqual } from '../validation/semantic-equal.ts';
import { costOfWalk } from './schema-facts.ts';
import { schemaLevels } from './schema-walk.ts';

/** Schemas and rules of the stored definition, to which an update applies relaxed checks. */
export interface RulesHistory {
  /** All rules of the stored definition. */
  readonly storedRules: ReadonlySet<string>;
  /** All message expressions of the stored definition. */
  readonly storedMessages: ReadonlySet<string>;
  /** Versions whose schema is unchanged. */
  readonly unchangedVersions: ReadonlySet<string>;
  readonly allUnchanged: boolean;
}

/** @param before spec of the stored definition; undefined on creation */
export function historyOf(
  before: CustomResourceDefinitionSpec | undefined,
  { versions = [] }: CustomResourceDefinitionSpec,
): RulesHistory {
  if (before === undefined) return NO_HISTORY;
  const storedRules = new Set<string>();
  const storedMessages = new Set<string>();
  const unchangedVersions = new Set<string>();
  const current = new Map(versions.map((version) => [version.name ?? '', version]));
  for (const { name = '', schema } of before.versions ?? []) {
    const root = schema?.openAPIV3Schema ?? NO_SCHEMA;
    const cost = costOfWalk(root);
    for (const { rule, messageExpression } of once(root, { place: 'stored rules', cost }, () =>
      rulesOf(root),
    )) {
      if (rule) storedRules.add(rule);
      if (messageExpression) storedMessages.add(messageExpression);
    }
    const now = current.get(name);
    if (now === undefined) continue;
    const isUnchanged = () => semanticEqual(now.schema, schema);
    if (once(now, { place: 'unchanged', cost }, isUnchanged)) unchangedVersions.add(name);
  }
  return {
    storedRules,
    storedMessages,
    unchangedVersions,
    allUnchanged: versions.every(({ name = '' }) => unchangedVersions.has(name)),
  };
}

const NO_SCHEMA = {};

const NO_HISTORY: RulesHistory = {
  storedRules: new Set(),
  storedMessages: new Set(),
  unchangedVersions: new Set(),
  allUnchanged: false,
};

/** All rules of a schema. */
function rulesOf(root: JSONSchemaProps): ValidationRule[] {
  const found: ValidationRule[] = [];
  for (const level of schemaLevels(root))
    for (const { 'x-kubernetes-validations': rules } of level)
      if (rules !== undefined) for (const rule of rules) found.push(rule);
  return found;
}
