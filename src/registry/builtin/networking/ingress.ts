import type { Ingress } from '../../../model/generated/networking-v1.ts';
import { invalid } from '../../../status/field-error.ts';
import type { Strategy } from '../../strategy.ts';
import { validateIngress, validateIngressStatus } from './ingress-validation.ts';

const CLASS_ANNOTATION = 'kubernetes.io/ingress.class';

export const ingressStrategy: Strategy = {
  validate(object) {
    const annotation = object.metadata?.annotations?.[CLASS_ANNOTATION];
    const name = (object as Ingress).spec?.ingressClassName;
    const contradicts = annotation !== undefined && name !== undefined && annotation !== name;
    return [
      ...validateIngress(object as Ingress, undefined),
      ...(contradicts
        ? [
            invalid(
              `annotations.${CLASS_ANNOTATION}`,
              annotation,
              'must match `ingressClassName` when both are specified',
            ),
          ]
        : []),
    ];
  },
  validateUpdate: (object, old) => validateIngress(object as Ingress, old as Ingress),
  validateSubresource: { status: (object) => validateIngressStatus(object as Ingress) },
  warnings: ({ metadata }, old) =>
    old === undefined && metadata?.annotations?.[CLASS_ANNOTATION] !== undefined
      ? [
          `annotation ${JSON.stringify(CLASS_ANNOTATION)} is deprecated, please use 'spec.ingressClassName' instead`,
        ]
      : [],
  managesGeneration: true,
};
