import { flagName } from '../flags/flag.ts';
import type { FlagValues, OptionName } from '../flags/table.ts';

/** Options of what an ephemeral server does not have. */
const OF_LASTING_DATA: readonly OptionName[] = ['dataDir', 'etcdServers'];

/**
 * Validates the options of the start contract. The command line takes `--exit-with-parent` and `--kubeconfig-out=-`
 * away before a server sees them: a program that embeds one has neither a parent to follow nor a standard output to
 * give away.
 */
export function validateStartContract(values: FlagValues, given: ReadonlySet<OptionName>): string[] {
  const problems: string[] = [];
  if (values.exitWithParent)
    problems.push('exitWithParent is for the command line: a program that embeds a server calls stop()');
  if (values.kubeconfigOut === '-')
    problems.push(
      'kubeconfigOut must name a file: - is for the command line, and server.kubeconfig has the text',
    );
  if (!values.ephemeral) return problems;
  for (const option of OF_LASTING_DATA)
    if (given.has(option))
      problems.push(
        `--${flagName(option)} can not be combined with --ephemeral, which keeps objects in memory`,
      );
  if (values.storageBackend !== '' && values.storageBackend !== 'memory')
    problems.push(`--storage-backend=${values.storageBackend} can not be combined with --ephemeral`);
  return problems;
}
