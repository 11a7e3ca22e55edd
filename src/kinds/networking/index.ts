import type { BuiltinResource } from '../builtin-resource.ts';
import { ingresses } from './ingress.ts';
import { ingressClasses } from './ingress-class.ts';
import { ipAddresses } from './ip-address.ts';
import { networkPolicies } from './network-policy.ts';
import { serviceCidrs } from './service-cidr.ts';

export const networkingResources: readonly BuiltinResource[] = [
  ingressClasses,
  ingresses,
  ipAddresses,
  networkPolicies,
  serviceCidrs,
];
