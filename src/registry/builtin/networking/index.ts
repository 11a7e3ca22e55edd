import type { Strategy } from '../../strategy.ts';
import { ingressStrategy } from './ingress.ts';
import { ingressClassStrategy } from './ingress-class.ts';
import { ipAddressStrategy } from './ip-address.ts';
import { networkPolicyStrategy } from './network-policy.ts';
import { serviceCidrStrategy } from './service-cidr.ts';

export const strategies: Record<string, Strategy> = {
  ingresses: ingressStrategy,
  ingressclasses: ingressClassStrategy,
  networkpolicies: networkPolicyStrategy,
  ipaddresses: ipAddressStrategy,
  servicecidrs: serviceCidrStrategy,
};
