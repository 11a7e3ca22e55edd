import { ConfigurationError } from '../../errors/configuration-error.ts';
import type { Faults } from '../../faults/faults.ts';
import { type FaultRule, FaultRuleError, readRule } from '../../faults/rule.ts';
import { readTextFile } from '../../files/files.ts';
import type { ServedFaults } from '../../handlers/endpoints/faults.ts';
import { errors } from '../../status/index.ts';

/** Serves the faults of a cluster over HTTP. */
export const faultsOverHttp = (faults: Faults): ServedFaults => ({
  list: () => ({ faults: faults.list() }),
  add(rule) {
    try {
      return { id: faults.add(readRule(rule)) };
    } catch (error) {
      if (error instanceof FaultRuleError) throw errors.badRequest(error.message);
      throw error;
    }
  },
  remove(id) {
    if (id === '') faults.clear();
    else if (!faults.remove(id)) throw errors.notFound({ group: '', resource: 'faults' }, id);
    return { faults: faults.list() };
  },
});

/** Reads the rules of `--faults-file`: a list, YAML or JSON. @throws ConfigurationError */
export async function readFaultsFile(file: string): Promise<readonly FaultRule[]> {
  const { parseYaml } = await import('../../codec/yaml.ts');
  const text = readTextFile(file);
  try {
    const { value } = parseYaml(Buffer.from(text));
    if (!Array.isArray(value)) throw new Error('it must be a list of rules');
    return value.map(readRule);
  } catch (error) {
    throw new ConfigurationError(`failed to read the faults of ${file}: ${(error as Error).message}`);
  }
}
