import type { Strategy } from '../../strategy.ts';

export const strategies: Record<string, Strategy> = {};
