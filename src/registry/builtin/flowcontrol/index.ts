import type { Strategy } from '../../strategy.ts';
import { flowSchemaStrategy } from './flow-schema.ts';
import { priorityLevelConfigurationStrategy } from './priority-level-configuration.ts';

export const strategies: Record<string, Strategy> = {
  flowschemas: flowSchemaStrategy,
  prioritylevelconfigurations: priorityLevelConfigurationStrategy,
};
