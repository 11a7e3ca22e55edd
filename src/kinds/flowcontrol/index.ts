import type { BuiltinResource } from '../builtin-resource.ts';
import { flowSchemas } from './flow-schema.ts';
import { priorityLevelConfigurations } from './priority-level-configuration.ts';

export const flowcontrolResources: readonly BuiltinResource[] = [flowSchemas, priorityLevelConfigurations];
