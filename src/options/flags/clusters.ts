import { bool } from './flag.ts';

/** Several clusters in a server: `docs/clusters.md`. */
export const CLUSTERS = {
  clusters: bool(
    false,
    'Serve further clusters below /clusters/NAME, which POST /clusters creates. They end with the process: this needs --ephemeral or --storage-backend=memory.',
  ),
};
