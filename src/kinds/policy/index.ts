import type { BuiltinResource } from '../builtin-resource.ts';
import { podDisruptionBudgets } from './pod-disruption-budget.ts';

export const policyResources: readonly BuiltinResource[] = [podDisruptionBudgets];
