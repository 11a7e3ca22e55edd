import { bool, text } from './flag.ts';

/** How another program starts a server, learns its address and ends it: `docs/start-contract.md`. */
export const START_CONTRACT = {
  ephemeral: bool(
    false,
    'Serve a cluster that ends with the process: in memory, on a free port, with a kubeconfig in the temporary folder. One line of JSON on the standard output says when /readyz passes.',
  ),
  exitWithParent: bool(
    false,
    'Stop when the standard input ends, which must be a pipe, or when the parent process ends.',
  ),
  printToken: bool(
    false,
    'Accept a random bearer token of the administrator until the process ends, and put it into the ready line.',
  ),
  readyFile: text(
    '',
    'File to write the ready line to when /readyz passes; removed when the server stops. One that an earlier server left is removed at the start.',
  ),
};
