import type { Strategy } from '../../strategy.ts';
import { apiServiceStrategy } from './api-service.ts';

export const strategies: Record<string, Strategy> = { apiservices: apiServiceStrategy };
