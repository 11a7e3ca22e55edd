import type { Service } from '../../../model/generated/core-v1.ts';
import { checkEach } from '../../../steps/replay.ts';
import { addressWarnings, cidrWarnings } from '../../validation/address-warnings.ts';
import { isExternalName, isHeadless } from './service-rules.ts';

/** Responses have fewer warnings. */
const WARNINGS = { place: 'warnings', cost: 4, enough: 256 };

/** Returns the warnings about a Service. */
export function serviceWarnings(service: Service): string[] {
  const {
    clusterIPs = [],
    externalIPs = [],
    loadBalancerIP = '',
    loadBalancerSourceRanges = [],
    externalName = '',
  } = service.spec ?? {};
  const warnings: string[] = [];
  if (service.metadata?.annotations?.['service.kubernetes.io/topology-aware-hints'] !== undefined) {
    warnings.push(
      'annotation service.kubernetes.io/topology-aware-hints is deprecated, please use service.kubernetes.io/topology-mode instead',
    );
  }
  if (!isHeadless(service))
    warnings.push(
      ...checkEach(clusterIPs, WARNINGS, (address, index) =>
        addressWarnings(address, `spec.clusterIPs[${index}]`),
      ),
    );
  warnings.push(
    ...checkEach(externalIPs, WARNINGS, (address, index) =>
      addressWarnings(address, `spec.externalIPs[${index}]`),
    ),
  );
  if (loadBalancerIP !== '') warnings.push(...addressWarnings(loadBalancerIP, 'spec.loadBalancerIP'));
  warnings.push(
    ...checkEach(loadBalancerSourceRanges, WARNINGS, (range, index) =>
      cidrWarnings(range, `spec.loadBalancerSourceRanges[${index}]`),
    ),
  );
  if (isExternalName(service) && externalIPs.length > 0)
    warnings.push('spec.externalIPs is ignored when spec.type is "ExternalName"');
  if (!isExternalName(service) && externalName !== '')
    warnings.push('spec.externalName is ignored when spec.type is not "ExternalName"');
  return warnings;
}
