import type { Strategy } from '../../strategy.ts';
import { podDisruptionBudgetStrategy } from './pod-disruption-budget.ts';

export const strategies: Record<string, Strategy> = { poddisruptionbudgets: podDisruptionBudgetStrategy };
