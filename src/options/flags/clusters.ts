import { bool, text } from './flag.ts';

/** Several clusters in a server: `docs/clusters.md`. */
export const CLUSTERS = {
  clusters: bool(
    false,
    'Serve further clusters below /clusters/NAME, which POST /clusters creates. They end with the process: this needs --ephemeral or --storage-backend=memory.',
  ),
  faults: bool(
    false,
    'Let faults happen to requests as the rules say that POST /faults adds: refusals, delays, cut connections, watches that end. For tests; on a loopback address only.',
  ),
  faultsFile: text('', 'File (YAML or JSON) with a list of rules that --faults begins with.'),
  faultsOnAnyAddress: bool(
    false,
    'Permit --faults on an address other than loopback. Users with permission for /faults can make requests of all clients fail.',
  ),
};
