import type { Strategy } from '../../strategy.ts';
import { customResourceDefinitionStrategy } from './custom-resource-definition.ts';

export const strategies: Record<string, Strategy> = { customresourcedefinitions: customResourceDefinitionStrategy };
