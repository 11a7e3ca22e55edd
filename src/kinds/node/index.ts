import type { BuiltinResource } from '../builtin-resource.ts';
import { runtimeClasses } from './runtime-class.ts';

export const nodeResources: readonly BuiltinResource[] = [runtimeClasses];
