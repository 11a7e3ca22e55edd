import type { Container, Pod, PodSpec, PodStatus } from '../../model/generated/core-v1.ts';
import { wholeAmount } from '../../reconcile/amounts.ts';
import { quantities, type ResourceAmounts, resourceAmounts } from './resource-amounts.ts';

/** What containers without a request count as, so that nodes are not filled with them. */
const DEFAULT_MILLI_CPU = 100;
const DEFAULT_MEMORY = 200 * 1024 * 1024;

/** What gates decide about requests. */
export interface RequestRules {
  /** `PodLevelResources`: the requests of a pod replace those of its containers. */
  readonly podLevelResources: boolean;
  /** `InPlacePodVerticalScaling`: what a container still has counts until it is resized. */
  readonly resizedPods: boolean;
}

/** CPU and memory with defaults for what is not requested. */
export interface NonZeroAmounts {
  readonly milliCpu: number;
  readonly memory: number;
}

export interface PodRequests {
  readonly requests: ResourceAmounts;
  readonly nonZero: NonZeroAmounts;
}

type Amounts = Map<string, number>;

/** What a pod takes from its node. */
export function podRequests(pod: Pod, rules: RequestRules): PodRequests {
  const { spec = {}, status = {} } = pod;
  const actual = podAmounts(spec, status, rules, NO_DEFAULTS);
  const defaults = defaultsFor(spec, actual, rules);
  const filled = defaults.size === 0 ? actual : podAmounts(spec, status, rules, defaults);
  return {
    requests: resourceAmounts(actual),
    nonZero: {
      milliCpu: wholeAmount(filled.get('cpu') ?? 0),
      memory: wholeAmount(filled.get('memory') ?? 0),
    },
  };
}

const NO_DEFAULTS: ReadonlyMap<string, number> = new Map();
const ALL_DEFAULTS: ReadonlyMap<string, number> = new Map([
  ['cpu', DEFAULT_MILLI_CPU],
  ['memory', DEFAULT_MEMORY],
]);

/** With requests of the pod itself, only what is missing there and in all containers has a default. */
function defaultsFor(spec: PodSpec, actual: Amounts, rules: RequestRules): ReadonlyMap<string, number> {
  if (!rules.podLevelResources || !hasPodLevelRequests(spec)) return ALL_DEFAULTS;
  return new Map([...ALL_DEFAULTS].filter(([name]) => !actual.has(name)));
}

const isPodLevel = (name: string): boolean => name === 'cpu' || name === 'memory';

const hasPodLevelRequests = ({ resources }: PodSpec): boolean =>
  Object.keys(resources?.requests ?? {}).some(isPodLevel);

function podAmounts(
  spec: PodSpec,
  status: PodStatus,
  rules: RequestRules,
  defaults: ReadonlyMap<string, number>,
): Amounts {
  const sum = containerAmounts(spec, status, rules, defaults);
  if (rules.podLevelResources)
    for (const [name, amount] of quantities(spec.resources?.requests))
      if (isPodLevel(name)) sum.set(name, amount);
  addAll(sum, quantities(spec.overhead));
  return sum;
}

/**
 * Containers run side by side. Init containers run one after the other before them, each beside the sidecars that
 * were started before it; a sidecar stays.
 */
function containerAmounts(
  { containers = [], initContainers = [] }: PodSpec,
  status: PodStatus,
  rules: RequestRules,
  defaults: ReadonlyMap<string, number>,
): Amounts {
  const sum: Amounts = new Map();
  for (const container of containers)
    addAll(sum, withDefaults(containerRequests(container, status, rules), defaults));
  if (initContainers.length === 0) return sum;
  const sidecars: Amounts = new Map();
  const largest: Amounts = new Map();
  for (const container of initContainers) {
    const own = withDefaults(new Map(quantities(container.resources?.requests)), defaults);
    if (container.restartPolicy === 'Always') {
      addAll(sum, own);
      addAll(sidecars, own);
      takeLarger(largest, sidecars);
    } else {
      addAll(own, sidecars);
      takeLarger(largest, own);
    }
  }
  takeLarger(sum, largest);
  return sum;
}

function containerRequests(container: Container, status: PodStatus, rules: RequestRules): Amounts {
  const wanted = new Map(quantities(container.resources?.requests));
  if (!rules.resizedPods) return wanted;
  const present = status.containerStatuses?.find(({ name }) => name === container.name)?.resources;
  if (present === undefined) return wanted;
  const has = new Map(quantities(present.requests));
  if (status.resize === 'Infeasible') return has;
  takeLarger(wanted, has);
  return wanted;
}

function withDefaults(amounts: Amounts, defaults: ReadonlyMap<string, number>): Amounts {
  for (const [name, amount] of defaults) if (!amounts.has(name)) amounts.set(name, amount);
  return amounts;
}

function addAll(sum: Amounts, added: Iterable<readonly [string, number]>): void {
  for (const [name, amount] of added) sum.set(name, (sum.get(name) ?? 0) + amount);
}

function takeLarger(result: Amounts, other: Amounts): void {
  for (const [name, amount] of other)
    if (amount > (result.get(name) ?? Number.NEGATIVE_INFINITY)) result.set(name, amount);
}
