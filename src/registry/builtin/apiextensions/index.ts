import type { Strategy } from '../../strategy.ts';
import { customResourceDefinitionStrategy } from './custom-resource-definition.ts';
import { type SchemaChecker, UNCHECKED } from './schema-checker.ts';

/** @param checker checks validation rules and defaults in schemas */
export const definitionStrategies = (checker: SchemaChecker): Record<string, Strategy> => ({
  customresourcedefinitions: customResourceDefinitionStrategy(checker),
});

export const strategies = definitionStrategies(UNCHECKED);
