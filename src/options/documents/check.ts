import { ConfigurationError } from '../../errors/configuration-error.ts';
import type { FlagValues } from '../flags/table.ts';

/**
 * Checks the configuration files of the flags. A reader is loaded only if its flag is set.
 * @throws ConfigurationError whose message names the flag and the file
 */
export async function checkDocuments({
  auditPolicyFile,
  egressSelectorConfigFile,
  tracingConfigFile,
}: Pick<FlagValues, 'auditPolicyFile' | 'egressSelectorConfigFile' | 'tracingConfigFile'>): Promise<void> {
  await check('audit-policy-file', auditPolicyFile, async () =>
    (await import('./audit-policy.ts')).readAuditPolicy(auditPolicyFile),
  );
  await check('egress-selector-config-file', egressSelectorConfigFile, async () =>
    (await import('./egress.ts')).readEgressFile(egressSelectorConfigFile),
  );
  await check('tracing-config-file', tracingConfigFile, async () =>
    (await import('./tracing.ts')).readTracingFile(tracingConfigFile),
  );
}

/** Reads a file, if the flag is set, and adds to errors where they come from. */
async function check(flag: string, file: string, read: () => Promise<unknown>): Promise<void> {
  if (file === '') return;
  try {
    await read();
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    throw new ConfigurationError(`${error.message} (--${flag}=${file})`);
  }
}
