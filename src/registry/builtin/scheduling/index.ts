import type { Strategy } from '../../strategy.ts';
import { priorityClassStrategy } from './priority-class.ts';

export const strategies: Record<string, Strategy> = { priorityclasses: priorityClassStrategy };
