import type { BuiltinResource } from '../builtin-resource.ts';
import { customResourceDefinitions } from './custom-resource-definition.ts';

export const apiextensionsResources: readonly BuiltinResource[] = [customResourceDefinitions];
