import type { PolicyObjects } from '../admission/policy/objects.ts';
import type { Readers } from '../reader/readers.ts';
import type { Subscription } from '../reader/subscription.ts';
import { Lister } from './listers.ts';

const GROUP = 'admissionregistration.k8s.io';

/** Reads policies and their bindings from the caches of two resources. */
export function policyObjects<Policy, Binding>(
  readers: Readers,
  resources: { readonly policies: string; readonly bindings: string },
): PolicyObjects<Policy, Binding> {
  const policies = new Lister(readers.resources, GROUP, resources.policies);
  const bindings = new Lister(readers.resources, GROUP, resources.bindings);
  return {
    policies: () => policies.listCached() as Policy[],
    bindings: () => bindings.listCached() as Binding[],
    async follow(onChange) {
      let isFilled = false;
      const changed = (): void => {
        if (isFilled) onChange();
      };
      const subscriptions: Subscription[] = [];
      for (const resource of [resources.policies, resources.bindings])
        subscriptions.push(await readers.follow(GROUP, resource, { changed }));
      isFilled = true;
      return () => {
        for (const subscription of subscriptions) subscription.stop();
      };
    },
  };
}
