import type { CustomResourceDefinitionSpec } from '../../../model/generated/apiextensions-v1.ts';
import { semanticEqual } from '../../validation/semantic-equal.ts';
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
  const storedRules = new Set<string>();
  const storedMessages = new Set<string>();
  const unchangedVersions = new Set<string>();
  const current = new Map(versions.map((version) => [version.name ?? '', version]));
  for (const { name = '', schema } of before?.versions ?? []) {
    for (const level of schemaLevels(schema?.openAPIV3Schema ?? {}))
      for (const { 'x-kubernetes-validations': rules = [] } of level)
        for (const { rule, messageExpression } of rules) {
          if (rule) storedRules.add(rule);
          if (messageExpression) storedMessages.add(messageExpression);
        }
    const now = current.get(name);
    if (now !== undefined && semanticEqual(now.schema, schema)) unchangedVersions.add(name);
  }
  return {
    storedRules,
    storedMessages,
    unchangedVersions,
    allUnchanged: versions.every(({ name = '' }) => unchangedVersions.has(name)),
  };
}
