import { parseJson } from '../../codec/json-parse.ts';
import { parseYaml } from '../../codec/yaml.ts';
import { aggregate } from '../../errors/aggregate.ts';
import { ConfigurationError } from '../../errors/configuration-error.ts';
import { dns1123Subdomain } from '../../model/name-syntax.ts';
import { type FieldError, formatFieldError, invalid } from '../../status/field-error.ts';
import { MOST_NODES, type SimulationSettings } from '../settings.ts';
import { isMembers, MemberReader } from './member-reader.ts';
import { readNodes } from './read-nodes.ts';

const DEFAULTS = {
  zones: 2,
  cpu: '8',
  memory: '16Gi',
  pods: '110',
  storageClass: 'standard',
  leaseInterval: 10_000,
  restartBackOff: 10_000,
  /** As kwok's stage `pod-complete`. */
  completeDelay: 1000,
};
const SHORTEST_LEASE_INTERVAL = 100;
const SHORTEST_BACK_OFF = 1;
const MOST_ZONES = 26;
const MOST_LOG_CHARACTERS = 1 << 20;
const MOST_IMAGES = 1000;

/**
 * Reads the content of `--simulation-config`, YAML or JSON.
 * @param text undefined: defaults
 * @param count of `--simulate-nodes`; undefined: that of the document
 * @throws ConfigurationError with every problem and its place
 */
export function readSettings(text: string | undefined, count: number | undefined): SimulationSettings {
  const errors: FieldError[] = [];
  const members = new MemberReader(text === undefined ? {} : parse(text), '', errors);
  const capacity = {
    cpu: members.quantity('cpu') ?? DEFAULTS.cpu,
    memory: members.quantity('memory') ?? DEFAULTS.memory,
    pods: members.quantity('pods') ?? DEFAULTS.pods,
  };
  const zones = members.integer('zones', 0, MOST_ZONES) ?? DEFAULTS.zones;
  const settings: SimulationSettings = {
    nodes: readNodes(members, { capacity, zones, count }),
    allNodes: members.boolean('all-nodes') ?? false,
    capacity,
    times: {
      readyDelay: members.duration('ready-delay', 0) ?? 0,
      stopDelay: members.duration('stop-delay', 0) ?? 0,
      completeDelay: members.duration('complete-delay', 0) ?? DEFAULTS.completeDelay,
      restartBackOff: members.duration('restart-backoff', SHORTEST_BACK_OFF) ?? DEFAULTS.restartBackOff,
    },
    missingImages: new Set(members.list('missing-images', MOST_IMAGES)),
    leaseInterval: members.duration('lease-interval', SHORTEST_LEASE_INTERVAL) ?? DEFAULTS.leaseInterval,
    ipv6: members.boolean('ipv6'),
    storageClass: readStorageClass(members, text === undefined),
    events: members.boolean('events') ?? false,
    logsContent: members.text('logs-content'),
  };
  members.end();
  if ((settings.logsContent?.length ?? 0) > MOST_LOG_CHARACTERS)
    members.invalid('logs-content', `must have at most ${MOST_LOG_CHARACTERS} characters`);
  if (settings.nodes.length > MOST_NODES)
    errors.push(invalid('nodes', settings.nodes.length, `must be at most ${MOST_NODES} in all`));
  if (errors.length > 0) throw new ConfigurationError(aggregate(errors.map(formatFieldError)));
  return settings;
}

/** A document says everything that is created; without one the cluster is ready for claims. */
function readStorageClass(members: MemberReader, isDefault: boolean): string | undefined {
  const name = members.text('storage-class');
  if (name === undefined) return isDefault ? DEFAULTS.storageClass : undefined;
  for (const problem of dns1123Subdomain(name)) members.invalid('storage-class', problem);
  return name;
}

function parse(text: string): Readonly<Record<string, unknown>> {
  const bytes = Buffer.from(text);
  let value: unknown;
  let duplicates: readonly unknown[];
  try {
    ({ value, duplicates } = /^\s*\{/.test(text) ? parseJson(bytes) : parseYaml(bytes));
  } catch (error) {
    throw new ConfigurationError((error as Error).message);
  }
  if (duplicates.length > 0) throw new ConfigurationError(`duplicate members: ${duplicates.join(', ')}`);
  if (value === null || value === undefined) return {};
  if (!isMembers(value)) throw new ConfigurationError('must be an object, such as {"nodes": 3}');
  return value;
}
