import { integer, text } from './flag.ts';

/** Simulated nodes and Pods: `docs/simulation.md`. */
export const SIMULATION = {
  simulateNodes: integer(
    0,
    'Number of nodes to simulate: nodes without machines, on which Pods become ready, finish and fail without containers. 0 with --simulation-config: those that it names.',
  ),
  simulationConfig: text(
    '',
    'File (YAML or JSON) that says how nodes and Pods are simulated. Also without --simulate-nodes, nodes with the annotation kwok.x-k8s.io/node=fake are simulated then.',
  ),
};
