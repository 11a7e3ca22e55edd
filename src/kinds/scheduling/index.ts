import type { BuiltinResource } from '../builtin-resource.ts';
import { priorityClasses } from './priority-class.ts';

export const schedulingResources: readonly BuiltinResource[] = [priorityClasses];
