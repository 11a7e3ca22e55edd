import type { BuiltinResource } from '../builtin-resource.ts';
import { apiServices } from './api-service.ts';

export const apiregistrationResources: readonly BuiltinResource[] = [apiServices];
