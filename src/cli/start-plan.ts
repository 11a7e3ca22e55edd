import { ConfigurationError } from '../errors/configuration-error.ts';
import type { OptionSlice } from '../options/flags/table.ts';
import type { ServerOptions } from '../options/options.ts';
import { readyLineText } from '../start-contract/ready-line.ts';
import type { EphemeralFolder, StoppableServer } from './environment.ts';
import { startScreen } from './start-screen.ts';

/** The options that decide what the standard output has, and with what the server ends. */
type StartOptions = OptionSlice<
  | 'ephemeral'
  | 'exitWithParent'
  | 'kubeconfigOut'
  | 'logJsonSplitStream'
  | 'logTextSplitStream'
  | 'printToken'
  | 'readyFile'
>;

/** How the flags of the start contract change a start. */
export interface StartPlan {
  /** What the server itself gets. */
  readonly options: ServerOptions;
  /** Whether the server ends with the process that started it. */
  readonly followsParent: boolean;
  /** What is printed when the server is ready. */
  announce(running: StoppableServer): { readonly out: string; readonly error: string };
}

/** The value of `--kubeconfig-out` for the standard output. */
const STANDARD_OUTPUT = '-';

/**
 * Reads the flags of the start contract.
 * @param given the flags of the command line
 * @throws ConfigurationError for flags that contradict each other, or that would have no effect
 */
export function planStart(given: ServerOptions, folder: Pick<EphemeralFolder, 'file'>): StartPlan {
  const values: Partial<StartOptions> = given as Partial<StartOptions>;
  const { exitWithParent: followsParent = false, ...options } = given;
  const { ephemeral = false } = values;
  const printsKubeconfig = values.kubeconfigOut === STANDARD_OUTPUT;
  if (values.printToken && !ephemeral && !values.readyFile)
    throw new ConfigurationError(
      '--print-token needs --ephemeral or --ready-file: the token is in the ready line',
    );
  if (values.printToken && printsKubeconfig && !values.readyFile)
    throw new ConfigurationError(
      '--print-token needs --ready-file beside --kubeconfig-out=-, which leaves no ready line on the standard output',
    );
  if ((ephemeral || printsKubeconfig) && (values.logJsonSplitStream || values.logTextSplitStream))
    throw new ConfigurationError(
      `--log-${values.logJsonSplitStream ? 'json' : 'text'}-split-stream can not be combined with ${ephemeral ? '--ephemeral' : '--kubeconfig-out=-'}: the standard output has no log then`,
    );
  if (printsKubeconfig) {
    return {
      options: { ...options, kubeconfigOut: '' },
      followsParent,
      announce: (running) => ({
        out: running.kubeconfig,
        error: ephemeral ? '' : startScreen(running, given),
      }),
    };
  }
  if (!ephemeral)
    return {
      options,
      followsParent,
      announce: (running) => ({ out: startScreen(running, given), error: '' }),
    };
  return {
    options: { ...options, kubeconfigOut: options.kubeconfigOut ?? folder.file('kubeconfig') },
    followsParent,
    announce: ({ readyLine }) => ({ out: readyLineText(readyLine), error: '' }),
  };
}
