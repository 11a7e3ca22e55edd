import type { AdmissionPlugin } from '../../request/admission.ts';
import type { WebhookPluginOptions } from './plugin-options.ts';

/** An admission plugin that calls the webhooks of a set. */
export const webhookPlugin = (
  name: string,
  set: WebhookPluginOptions['set'],
  phases: Pick<AdmissionPlugin, 'admit' | 'validate'>,
): AdmissionPlugin => Object.assign(new WebhookPlugin(name, set), phases);

class WebhookPlugin implements AdmissionPlugin {
  readonly name: string;
  readonly isConfiguredByObjects = true;
  readonly #set: WebhookPluginOptions['set'];

  constructor(name: string, set: WebhookPluginOptions['set']) {
    this.name = name;
    this.#set = set;
  }

  get generation(): number {
    return this.#set.generation;
  }

  handles(...[operation, group, resource, subresource]: Parameters<AdmissionPlugin['handles']>): boolean {
    return this.#set.index.handles(operation, group, resource, subresource);
  }

  leavesProcess(): boolean {
    return true;
  }
}
