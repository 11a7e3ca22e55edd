import type { Strategy } from '../../strategy.ts';
import { runtimeClassStrategy } from './runtime-class.ts';

/** Strategies of `node.k8s.io`, by resource. */
export const strategies: Record<string, Strategy> = { runtimeclasses: runtimeClassStrategy };
