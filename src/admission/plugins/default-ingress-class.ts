import { newestDefaultClass } from '../../model/default-class.ts';
import type { IngressSpec } from '../../model/generated/networking-v1.ts';
import { getMember } from '../../model/object.ts';
import { mapMaybePromise } from '../../steps/steps.ts';
import type { AdmissionListers } from '../listers.ts';
import type { BuiltinPlugin } from './builtin-plugin.ts';

/** Sets the default class of an ingress without class and class annotation. */
export function defaultIngressClass({
  ingressClasses,
}: Pick<AdmissionListers, 'ingressClasses'>): BuiltinPlugin {
  return {
    handles: (operation, group, resource, subresource) =>
      operation === 'CREATE' &&
      group === 'networking.k8s.io' &&
      resource === 'ingresses' &&
      subresource === '',
    admit({ object }) {
      object!.spec ??= {};
      const spec = object!.spec as IngressSpec;
      if (
        spec.ingressClassName !== undefined ||
        getMember(object!.metadata?.annotations ?? {}, 'kubernetes.io/ingress.class') !== undefined
      )
        return;
      return mapMaybePromise(ingressClasses(), (classes) => {
        const found = newestDefaultClass(classes, 'ingressclass.kubernetes.io/is-default-class');
        if (found !== undefined) spec.ingressClassName = found.metadata!.name!;
      });
    },
  };
}
