import type { AdmissionPlugin } from '../../request/admission.ts';
import type { WebhookPluginOptions } from './plugin-options.ts';

/** An admission plugin that calls the webhooks of a set. */
export const webhookPlugin = (
  name: string,
  set: WebhookPluginOptions['set'],
  phases: Pick<AdmissionPlugin, 'admit' | 'validate'>,
): AdmissionPlugin => ({
  name,
  isConfiguredByObjects: true,
  get generation() {
    return set.generation;
  },
  handles: (operation, group, resource, subresource) =>
    set.index.handles(operation, group, resource, subresource),
  leavesProcess: () => true,
  ...phases,
});
