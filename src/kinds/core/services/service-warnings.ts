import type { Service } from '../../../model/generated/core-v1.ts';
import type { Life } from '../../../model/life.ts';
import type { RuleContext } from '../../../model/rule-context.ts';
import { checkEach } from '../../../steps/replay.ts';
import { addressWarnings, rangeWarnings, WARNS_OF_FORMS } from '../../validation/address-warnings.ts';
import { earlierAddressWarnings, earlierRangeWarnings } from './earlier-address-warnings.ts';
import { HEADLESS, isExternalName, isHeadless } from './service-rules.ts';

/** Responses have fewer warnings. */
const WARNINGS = { place: 'warnings', cost: 4, enough: 256 };

/** Returns the warnings about a Service. */
export function serviceWarnings(service: Service, context: RuleContext): string[] {
  const {
    clusterIPs = [],
    externalIPs = [],
    loadBalancerIP = '',
    loadBalancerSourceRanges = [],
    externalName = '',
  } = service.spec ?? {};
  const warnings: string[] = [];
  const ofAddress = context.has(WARNS_OF_FORMS) ? addressWarnings : earlierAddressWarnings;
  const ofRange = context.has(WARNS_OF_FORMS) ? rangeWarnings : earlierRangeWarnings;
  if (service.metadata?.annotations?.['service.kubernetes.io/topology-aware-hints'] !== undefined) {
    warnings.push(
      'annotation service.kubernetes.io/topology-aware-hints is deprecated, please use service.kubernetes.io/topology-mode instead',
    );
  }
  if (!isHeadless(service))
    warnings.push(
      ...checkEach(clusterIPs, WARNINGS, (address, index) =>
        ofAddress(address, `spec.clusterIPs[${index}]`, context),
      ),
    );
  if (context.has(WARNS_OF_HEADLESS) && isClusterIpNone(service)) warnings.push(...headlessWarnings(service));
  warnings.push(
    ...checkEach(externalIPs, WARNINGS, (address, index) =>
      ofAddress(address, `spec.externalIPs[${index}]`, context),
    ),
  );
  if (loadBalancerIP !== '') warnings.push(...ofAddress(loadBalancerIP, 'spec.loadBalancerIP', context));
  warnings.push(
    ...checkEach(loadBalancerSourceRanges, WARNINGS, (range, index) =>
      ofRange(range, `spec.loadBalancerSourceRanges[${index}]`, context),
    ),
  );
  if (externalIPs.length > 0 && !isHeadless(service) && context.has(DEPRECATES_EXTERNAL_IPS))
    warnings.push('spec.externalIPs is deprecated and may no longer be implemented in some clusters');
  if (isExternalName(service) && externalIPs.length > 0)
    warnings.push('spec.externalIPs is ignored when spec.type is "ExternalName"');
  if (!isExternalName(service) && externalName !== '')
    warnings.push('spec.externalName is ignored when spec.type is not "ExternalName"');
  if (service.spec?.trafficDistribution === 'PreferClose' && context.has(DEPRECATES_PREFER_CLOSE))
    warnings.push('spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"');
  return warnings;
}

const WARNS_OF_HEADLESS: Life = { since: '1.34' };
const DEPRECATES_PREFER_CLOSE: Life = { since: '1.35' };
const DEPRECATES_EXTERNAL_IPS: Life = { since: '1.36' };

const isClusterIpNone = ({ spec }: Service): boolean =>
  spec?.type === 'ClusterIP' && spec.clusterIP === HEADLESS;

const headlessWarnings = ({
  spec: { loadBalancerIP, externalIPs = [], sessionAffinity } = {},
}: Service): string[] => [
  ...(loadBalancerIP ? ['spec.loadBalancerIP is ignored for headless services'] : []),
  ...(externalIPs.length > 0 ? ['spec.externalIPs is ignored for headless services'] : []),
  ...(sessionAffinity === 'None' ? [] : ['spec.SessionAffinity is ignored for headless services']),
];

/** Returns the warnings about the addresses in the status of a Service. */
export const ingressWarnings = ({ status }: Service, context: RuleContext): string[] =>
  (status?.loadBalancer?.ingress ?? []).flatMap(({ ip = '' }, index) =>
    ip === '' ? [] : addressWarnings(ip, `status.loadBalancer.ingress[${index}]`, context),
  );
