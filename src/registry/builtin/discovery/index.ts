import type { Strategy } from '../../strategy.ts';
import { endpointSliceStrategy } from './endpoint-slice.ts';

export const strategies: Record<string, Strategy> = { endpointslices: endpointSliceStrategy };
