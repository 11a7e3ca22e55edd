import type { FlagValues } from '../flags/table.ts';

/**
 * Checks the configuration files of the flags. A reader is loaded only if its flag is set.
 * @throws ConfigurationError
 */
export async function checkDocuments({
  auditPolicyFile,
  egressSelectorConfigFile,
  tracingConfigFile,
}: Pick<FlagValues, 'auditPolicyFile' | 'egressSelectorConfigFile' | 'tracingConfigFile'>): Promise<void> {
  if (auditPolicyFile !== '') (await import('./audit-policy.ts')).readAuditPolicy(auditPolicyFile);
  if (egressSelectorConfigFile !== '') (await import('./egress.ts')).readEgressFile(egressSelectorConfigFile);
  if (tracingConfigFile !== '') (await import('./tracing.ts')).readTracingFile(tracingConfigFile);
}
