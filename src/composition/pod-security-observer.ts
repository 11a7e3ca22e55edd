import type { PodSecurityObserver } from '../admission/plugins/pod-security.ts';
import type { LevelVersion } from '../admission/pod-security/policy.ts';
import type { Release } from '../model/scheme.ts';
import type { MetricsRegistry } from '../observability/metrics.ts';
import { podSecurityMetrics } from '../observability/metrics-pod-security.ts';
import type { AdmissionRequest } from '../request/admission.ts';

/** Counts the decisions of pod security. */
export function podSecurityObserver(registry: MetricsRegistry, { minor }: Release): PodSecurityObserver {
  const newest = Number(minor);
  const metrics = podSecurityMetrics(registry);
  // Those that kube-apiserver exposes before the first decision.
  for (const operation of ['create', 'update']) {
    metrics.evaluations.with('allow', 'privileged', 'latest', 'enforce', operation, 'pod', '').show();
    for (const resource of ['pod', 'controller']) metrics.exemptions.with(operation, resource, '').show();
  }
  return {
    evaluated: (request, decision, mode, against) =>
      metrics.evaluations
        .with(decision, against.level, versionLabel(against, newest), mode, ...requestLabels(request))
        .add(),
    exempted: (request) => metrics.exemptions.with(...requestLabels(request)).add(),
    failed: (request, fatal) => metrics.errors.with(String(fatal), ...requestLabels(request)).add(),
  };
}

const requestLabels = ({ operation, resource, subresource }: AdmissionRequest): string[] => [
  operation.toLowerCase(),
  resource.group === '' && resource.resource === 'pods' ? 'pod' : 'controller',
  subresource,
];

/** Versions that this server does not know share one label value: their number is unbounded. */
const versionLabel = ({ version }: LevelVersion, newest: number): string =>
  version === 'latest' || Number(version.slice('v1.'.length)) <= newest ? version : 'future';
