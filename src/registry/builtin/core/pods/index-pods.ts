import type { Strategy } from '../../../strategy.ts';
import { replicationControllerStrategy } from '../replication-controller.ts';
import { bindingStrategy } from './binding.ts';
import { podStrategy } from './pod-strategy.ts';
import { podTemplateStrategy } from './pod-template.ts';

/** The part of the core group that is about pods, by resource. */
export const strategies: Record<string, Strategy> = {
  bindings: bindingStrategy,
  pods: podStrategy,
  podtemplates: podTemplateStrategy,
  replicationcontrollers: replicationControllerStrategy,
};
