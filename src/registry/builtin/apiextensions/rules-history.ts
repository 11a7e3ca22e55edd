import type { CustomResourceDefinitionSpec } from '../../../model/generated/apiextensions-v1.ts';
import { semanticEqual } from '../../validation/semantic-equal.ts';
import { schemaLevels } from './schema-walk.ts';

/** What an update does not ask again of schemas and rules that were accepted before. */
export interface RulesHistory {
  /** Texts of rules anywhere in the definition as it was. */
  readonly storedRules: ReadonlySet<string>;
  /** Texts of the expressions of messages. */
  readonly storedMessages: ReadonlySet<string>;
  /** Versions whose schema has not changed. */
  readonly unchangedVersions: ReadonlySet<string>;
  readonly allUnchanged: boolean;
}

/** @param before undefined at creation */
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
