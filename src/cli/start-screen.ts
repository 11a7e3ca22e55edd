import { isAbsolute, relative } from 'node:path';
import { FLAGS } from '../options/flags/table.ts';
import type { ServerOptions } from '../options/options.ts';
import { PRODUCT_VERSION } from '../options/version.ts';
import type { StoppableServer } from './environment.ts';
import { shellWord } from './shell-word.ts';

/** One screen: what a user needs to know to use the server. */
export function startScreen(
  { url, port, dataDirectory, kubeconfigFile }: StoppableServer,
  options: ServerOptions,
): string {
  const rows: [string, string][] = [];
  if (options.securePort === undefined && port !== FLAGS.securePort.initial)
    rows.push(['Port', `${FLAGS.securePort.initial} is in use: serving on ${port}`]);
  rows.push([
    'Data',
    dataDirectory === undefined
      ? 'in memory: objects are lost when the server stops'
      : shortPath(dataDirectory),
  ]);
  if (kubeconfigFile === undefined) rows.push(['Kubeconfig', 'not written: set --kubeconfig-out=FILE']);
  else {
    rows.push(['Kubeconfig', shortPath(kubeconfigFile)]);
    rows.push(['Try', `kubectl --kubeconfig ${shellWord(shortPath(kubeconfigFile))} get namespaces`]);
  }
  rows.push(podsRow(options), ['Stop', 'Ctrl-C']);
  const lines = rows.map(([name, text]) => `  ${name.padEnd(10)}  ${text}\n`).join('');
  return `Binnacle ${PRODUCT_VERSION} is ready at ${url}\n\n${lines}\n`;
}

/** What happens to Pods. */
function podsRow({ simulateNodes = 0, simulationConfig = '' }: ServerOptions): [string, string] {
  if (simulateNodes > 0) return ['Pods', `run on ${simulateNodes} simulated nodes, without containers`];
  if (simulationConfig !== '') return ['Pods', 'run on simulated nodes, without containers'];
  return ['Pods', 'stay Pending: there are no nodes; --simulate-nodes=3 simulates some'];
}

/** The path relative to the current directory if it is below it. */
function shortPath(path: string): string {
  const below = isAbsolute(path) ? relative(process.cwd(), path) : path;
  return below === '' || below.startsWith('..') ? path : below;
}
