import type { Strategy } from '../../strategy.ts';
import { runtimeClassStrategy } from './runtime-class.ts';

export const strategies: Record<string, Strategy> = { runtimeclasses: runtimeClassStrategy };
