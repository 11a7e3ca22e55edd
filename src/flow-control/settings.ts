import type { FlowSchema, PriorityLevelConfiguration } from '../model/generated/flowcontrol-v1.ts';
import { MANDATORY_FLOW_CONTROL } from '../model/mandatory-objects.ts';

/** Lists flow schemas and priority levels. */
export interface FlowControlLister {
  /** Increases with every change of the lists. */
  readonly generation: number;
  flowSchemas(): readonly FlowSchema[];
  priorityLevels(): readonly PriorityLevelConfiguration[];
}

/** The objects without which a server does not work; used while they are not stored. */
export interface MandatoryObjects {
  readonly flowSchemas: readonly FlowSchema[];
  readonly priorityLevels: readonly PriorityLevelConfiguration[];
}

/** The mandatory ones of the built-in objects. */
export function mandatoryObjects(
  flowSchemas: readonly FlowSchema[],
  priorityLevels: readonly PriorityLevelConfiguration[],
): MandatoryObjects {
  const isMandatory = ({ metadata }: FlowSchema | PriorityLevelConfiguration): boolean =>
    MANDATORY_FLOW_CONTROL.has(metadata?.name ?? '');
  return {
    flowSchemas: flowSchemas.filter(isMandatory),
    priorityLevels: priorityLevels.filter(isMandatory),
  };
}

/** How a priority level limits its requests. */
export interface QueueSettings {
  /** Number of queues; 0: requests that cannot start at once are refused. */
  readonly queues: number;
  /** Queues among which one is chosen for a request. */
  readonly handSize: number;
  /** Requests that may wait in a queue while every seat is taken. */
  readonly queueLength: number;
}

/** The settings of a priority level. */
export interface LevelSettings {
  readonly name: string;
  readonly uid: string;
  /** `exempt`: requests are never queued or refused. */
  readonly queuing: QueueSettings | 'exempt';
  readonly shares: number;
  readonly lendablePercent: number;
  /** Undefined: as much as the server has. */
  readonly borrowingLimitPercent: number | undefined;
}

const NO_QUEUES: QueueSettings = { queues: 0, handSize: 1, queueLength: 0 };

/** The settings of a stored priority level; undefined for an object that no validation would have accepted. */
export function settingsOf({ metadata, spec }: PriorityLevelConfiguration): LevelSettings | undefined {
  const name = metadata?.name ?? '';
  const uid = metadata?.uid ?? '';
  const { exempt, limited, type } = spec ?? {};
  if (type === 'Exempt' && exempt !== undefined && limited === undefined && name === 'exempt')
    return {
      name,
      uid,
      queuing: 'exempt',
      shares: exempt.nominalConcurrencyShares ?? 0,
      lendablePercent: exempt.lendablePercent ?? 0,
      borrowingLimitPercent: undefined,
    };
  if (type !== 'Limited' || limited === undefined || exempt !== undefined || name === 'exempt')
    return undefined;
  const queuing = queuingOf(limited.limitResponse);
  if (queuing === undefined) return undefined;
  return {
    name,
    uid,
    queuing,
    shares: limited.nominalConcurrencyShares ?? 0,
    lendablePercent: limited.lendablePercent ?? 0,
    borrowingLimitPercent: limited.borrowingLimitPercent ?? undefined,
  };
}

type LimitResponse = NonNullable<
  NonNullable<NonNullable<PriorityLevelConfiguration['spec']>['limited']>['limitResponse']
>;

/** Greatest number of hash bits that a hand may use. */
const HASH_BITS = 60;

function queuingOf(response: LimitResponse | undefined): QueueSettings | undefined {
  const { type, queuing } = response ?? {};
  if (type === 'Reject') return queuing === undefined ? NO_QUEUES : undefined;
  if (type !== 'Queue' || queuing === undefined) return undefined;
  const { queues = 0, handSize = 0, queueLengthLimit = 0 } = queuing;
  const isDealable =
    handSize >= 1 && handSize <= queues && Math.ceil(Math.log2(queues) * handSize) <= HASH_BITS;
  return isDealable ? { queues, handSize, queueLength: queueLengthLimit } : undefined;
}
