// Further clusters of a server: time until their first GET, memory, and what idle ones cost.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { summary } from '../support/measure.mjs';

const PROGRAM = fileURLToPath(new URL('../support/clusters-program.mjs', import.meta.url));

export default async function clusters(table) {
  const output = execFileSync(process.execPath, ['--expose-gc', PROGRAM], { encoding: 'utf8' });
  for (const { name, figures, unit, budget } of JSON.parse(output))
    table.row(name, summary(figures), unit, budget);
}
