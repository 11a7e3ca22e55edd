import { quote } from '../../../errors/quote.ts';
import type {
  Container,
  ContainerPort,
  EphemeralContainer,
  PodSpec,
} from '../../../model/generated/core-v1.ts';

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

interface PortAtField {
  readonly port: ContainerPort;
  readonly field: string;
}

/** Warns about conflicting port definitions within a container and between containers. */
export function portWarnings(spec: PodSpec, at: string): string[] {
  const byNumber = new Map<string, PortAtField[]>();
  return (['initContainers', 'containers'] as const).flatMap((list) =>
    (spec[list] ?? []).flatMap((container, index) => {
      // Init containers that are not sidecars run alone.
      const runsConcurrently = list === 'containers' || container.restartPolicy === 'Always';
      const known = runsConcurrently ? byNumber : new Map<string, PortAtField[]>();
      return (container.ports ?? []).flatMap((port, portIndex) =>
        comparePort({ port, field: `${at}.${list}[${index}].ports[${portIndex}]` }, known),
      );
    }),
  );
}

function comparePort({ port, field }: PortAtField, known: Map<string, PortAtField[]>): string[] {
  const { name = '', containerPort = 0, protocol = '', hostIP = '', hostPort = 0 } = port;
  const key = `${containerPort}/${protocol}`;
  const earlier = known.get(key) ?? [];
  if (earlier.length < MAXIMUM_COMPARED) known.set(key, [...earlier, { port, field }]);
  const formatted = `{Name:${name} HostPort:0 ContainerPort:${containerPort} Protocol:${protocol} HostIP:${hostIP}}`;
  return [
    ...(hostIP !== '' && hostPort === 0 ? [`${field}: hostIP set without hostPort: ${formatted}`] : []),
    ...earlier.flatMap((other) =>
      conflict(port, other).map((text) => `${field}: ${text} port definition with ${other.field}`),
    ),
  ];
}

function conflict({ hostIP = '', hostPort = 0 }: ContainerPort, { port: other }: PortAtField): string[] {
  const { hostIP: otherIP = '', hostPort: otherPort = 0 } = other;
  if (hostIP === otherIP && hostPort === otherPort) return ['duplicate'];
  if (hostPort === 0 || otherPort === 0) return ['overlapping'];
  return hostPort === otherPort && (hostIP === '') !== (otherIP === '') ? ['dangerously ambiguous'] : [];
}
