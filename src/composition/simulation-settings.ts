import { ConfigurationError } from '../errors/configuration-error.ts';
import { readTextFile } from '../files/files.ts';
import type { SimulationSettings } from '../nodes/settings.ts';
import type { OptionSlice } from '../options/flags/table.ts';
import type { Configuration } from '../options/options.ts';

type SimulationOptions = OptionSlice<'simulateNodes' | 'simulationConfig'>;

/**
 * What the flags say of simulated nodes; undefined if there are none.
 * @throws ConfigurationError that names the flag and the file
 */
export async function readSimulation({
  values,
  given,
}: Pick<Configuration<SimulationOptions>, 'values' | 'given'>): Promise<SimulationSettings | undefined> {
  const { simulateNodes, simulationConfig } = values;
  if (simulateNodes === 0 && simulationConfig === '') return undefined;
  const { readSettings } = await import('../nodes/configuration/read-settings.ts');
  const count = given.has('simulateNodes') ? simulateNodes : undefined;
  if (simulationConfig === '') return readSettings(undefined, count);
  const text = readTextFile(simulationConfig);
  try {
    return readSettings(text, count);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    throw new ConfigurationError(`--simulation-config=${simulationConfig}: ${error.message}`);
  }
}
