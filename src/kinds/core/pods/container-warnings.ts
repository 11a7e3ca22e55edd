import { quote } from '../../../errors/quote.ts';
import type {
  Container,
  ContainerPort,
  EphemeralContainer,
  PodSpec,
} from '../../../model/generated/core-v1.ts';
import { Pace } from '../../../steps/pace.ts';
import { onceInTurns } from '../../../steps/replay.ts';
import type { Steps } from '../../../steps/steps.ts';
import { containersWithPaths } from './pod-containers.ts';

/** Warns about environment variables that override earlier ones without referencing them. */
export function containerWarnings({ env = [] }: Container | EphemeralContainer, field: string): string[] {
  const seen = new Set<string>();
  return env.flatMap(({ name = '', value = '', valueFrom }, index) => {
    const reference = `$(${name})`;
    const hides =
      seen.has(name) && (valueFrom !== undefined || value === reference || !value.includes(reference));
    seen.add(name);
    return hides
      ? [
          `${field}.env[${index}]: hides previous definition of ${quote(name)}, which may be dropped when using apply`,
        ]
      : [];
  });
}

/** Maximum number of earlier ports with the same number that a port is compared with. */
const MAXIMUM_COMPARED = 20;
/** Warnings about the ports of one pod; far fewer fit into a response. */
const MAXIMUM_WARNINGS = 256;

interface PortAtField {
  readonly port: ContainerPort;
  readonly field: string;
}

/** Warns about conflicting port definitions within a container and between containers. */
export const portWarnings = (spec: PodSpec, at: string): string[] =>
  onceInTurns(spec, { place: 'ports', cost: ({ length }) => length }, () => findingPortWarnings(spec, at));

function* findingPortWarnings(spec: PodSpec, at: string): Steps<string[]> {
  const pace = new Pace();
  const warnings: string[] = [];
  const byNumber = new Map<string, PortAtField[]>();
  for (const list of ['initContainers', 'containers'] as const)
    for (const [index, container] of (spec[list] ?? []).entries()) {
      // Init containers that are not sidecars run alone.
      const runsConcurrently = list === 'containers' || container.restartPolicy === 'Always';
      const known = runsConcurrently ? byNumber : new Map<string, PortAtField[]>();
      for (const [portIndex, port] of (container.ports ?? []).entries()) {
        const field = `${at}.${list}[${index}].ports[${portIndex}]`;
        warnings.push(...comparePort({ port, field }, known));
        if (warnings.length >= MAXIMUM_WARNINGS) return warnings;
        if (pace.isPause()) yield;
      }
    }
  return warnings;
}

/** Warns about a name that several ports have: only the first is found by it. */
export function portNameWarnings(spec: PodSpec, at: string): string[] {
  const known = new Map<string, string>();
  return containersWithPaths(spec, at).flatMap(({ container, path }) =>
    (container.ports ?? []).flatMap(({ name = '' }, index) => {
      const place = `${path}.ports[${index}]`;
      const first = known.get(name);
      if (first !== undefined)
        return [
          `${place}: duplicate port name ${quote(name)} with ${first}, services and probes that select ports by name will use ${first}`,
        ];
      if (name !== '') known.set(name, place);
      return [];
    }),
  );
}

function comparePort(one: PortAtField, known: Map<string, PortAtField[]>): string[] {
  const { port, field } = one;
  const { name = '', containerPort = 0, protocol = '', hostIP = '', hostPort = 0 } = port;
  const key = `${containerPort}/${protocol}`;
  const earlier = known.get(key) ?? [];
  const formatted = `{Name:${name} HostPort:0 ContainerPort:${containerPort} Protocol:${protocol} HostIP:${hostIP}}`;
  const warnings = [
    ...(hostIP !== '' && hostPort === 0 ? [`${field}: hostIP set without hostPort: ${formatted}`] : []),
    ...earlier.flatMap((other) =>
      conflict(port, other).map((text) => `${field}: ${text} port definition with ${other.field}`),
    ),
  ];
  if (earlier.length < MAXIMUM_COMPARED) earlier.push(one);
  known.set(key, earlier);
  return warnings;
}

function conflict({ hostIP = '', hostPort = 0 }: ContainerPort, { port: other }: PortAtField): string[] {
  const { hostIP: otherIP = '', hostPort: otherPort = 0 } = other;
  if (hostIP === otherIP && hostPort === otherPort) return ['duplicate'];
  if (hostPort === 0 || otherPort === 0) return ['overlapping'];
  return hostPort === otherPort && (hostIP === '') !== (otherIP === '') ? ['dangerously ambiguous'] : [];
}
