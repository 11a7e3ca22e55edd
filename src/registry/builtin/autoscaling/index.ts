import type { Strategy } from '../../strategy.ts';
import { horizontalPodAutoscalerStrategy } from './horizontal-pod-autoscaler.ts';

export const strategies: Record<string, Strategy> = {
  horizontalpodautoscalers: horizontalPodAutoscalerStrategy,
};
