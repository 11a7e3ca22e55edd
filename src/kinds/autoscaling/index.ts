import type { BuiltinResource } from '../builtin-resource.ts';
import { horizontalPodAutoscalers } from './horizontal-pod-autoscaler.ts';

export const autoscalingResources: readonly BuiltinResource[] = [horizontalPodAutoscalers];
