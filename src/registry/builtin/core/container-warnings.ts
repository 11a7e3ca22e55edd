import type { Container, ContainerPort, EphemeralContainer, PodSpec } from './pod-types.ts';

/** Variables that hide earlier ones without using them. */
export function containerWarnings({ env = [] }: Container | EphemeralContainer, field: string): string[] {
  const seen = new Set<string>();
  return env.flatMap(({ name = '', value = '' }, index) => {
    const hides = seen.has(name) && !value.includes(`$(${name})`);
    seen.add(name);
    return hides ? [`${field}.env[${index}]: hides previous definition of ${JSON.stringify(name)}, which may be dropped when using apply`] : [];
  });
}

/** Definitions of one number that a further one is compared with: the first of many tell enough. */
const MAXIMUM_COMPARED = 20;

interface PlacedPort {
  readonly port: ContainerPort;
  readonly field: string;
}

/** Ports that get in each other's way, within a container and between those that run together. */
export function portWarnings(spec: PodSpec, at: string): string[] {
  const lists = ['initContainers', 'containers'] as const;
  const byNumber = new Map<string, PlacedPort[]>();
  const byName = new Map<string, string>();
  const warnings: string[] = [];
  for (const list of lists) {
    for (const [index, container] of (spec[list] ?? []).entries()) {
      // Init containers that end before the next begins share nothing.
      const runsAlong = list === 'containers' || container.restartPolicy === 'Always';
      const others = runsAlong ? byNumber : new Map<string, PlacedPort[]>();
      for (const [portIndex, port] of (container.ports ?? []).entries()) {
        const field = `${at}.${list}[${index}].ports[${portIndex}]`;
        if (port.hostIP && !port.hostPort)
          warnings.push(
            `${field}: hostIP set without hostPort: {Name:${port.name ?? ''} HostPort:0 ContainerPort:${port.containerPort ?? 0} Protocol:${port.protocol ?? ''} HostIP:${port.hostIP}}`,
          );
        const key = `${port.containerPort}/${port.protocol}`;
        const before = others.get(key) ?? [];
        for (const other of before) warnings.push(...conflict(port, other).map((text) => `${field}: ${text} port definition with ${other.field}`));
        if (before.length < MAXIMUM_COMPARED) others.set(key, [...before, { port, field }]);
        if (!runsAlong || !port.name) continue;
        const first = byName.get(port.name);
        if (first === undefined) byName.set(port.name, field);
        else
          warnings.push(
            `${field}: duplicate port name ${JSON.stringify(port.name)} with ${first}, services and probes that select ports by name will use ${first}`,
          );
      }
    }
  }
  return warnings;
}

function conflict({ hostIP = '', hostPort = 0 }: ContainerPort, { port: other }: PlacedPort): string[] {
  const { hostIP: otherIP = '', hostPort: otherPort = 0 } = other;
  if (hostIP === otherIP && hostPort === otherPort) return ['duplicate'];
  if (hostPort === 0 || otherPort === 0) return ['overlapping'];
  return hostPort === otherPort && (hostIP === '') !== (otherIP === '') ? ['dangerously ambiguous'] : [];
}
