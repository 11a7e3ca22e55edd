import type { Pod, PodCondition, PodStatus } from '../../../src/model/generated/core-v1.ts';
import type { ObjectMeta } from '../../../src/model/object.ts';
import { type Advance, advance, type PodTimes } from '../../../src/nodes/pods/advance.ts';
import { newKnowledge, type PodKnowledge } from '../../../src/nodes/pods/knowledge.ts';
import { recoveredKnowledge } from '../../../src/nodes/pods/recover.ts';
import { statusPatch } from '../../../src/nodes/pods/status-patch.ts';

export const START = Date.parse('2030-01-01T00:00:00Z');
export const TIMES: PodTimes = { readyDelay: 0, stopDelay: 0, restartBackOff: 10_000, completeDelay: 1000 };
const ADDRESSES = ['10.244.0.1'];

/** A Pod on a node: takes the patches of its node as the API does, and lets time pass from one due time to the next. */
export class SimulatedPod {
  readonly pod: Pod;
  /** Every status that was written, and how often something was written. */
  readonly history: PodStatus[] = [];
  known: PodKnowledge;
  now = START;
  isRemoved = false;
  observesGeneration = false;
  last: Advance | undefined;
  readonly #times: PodTimes;
  readonly #missingImages: ReadonlySet<string>;

  constructor(
    spec: Pod['spec'],
    metadata: ObjectMeta = {},
    times: Partial<PodTimes> = {},
    missingImages: readonly string[] = [],
  ) {
    this.#times = { ...TIMES, ...times };
    this.#missingImages = new Set(missingImages);
    this.pod = {
      metadata: { name: 'p', namespace: 'n', uid: 'u', ...metadata },
      spec: { restartPolicy: 'Always', ...spec },
      status: { phase: 'Pending', qosClass: 'BestEffort' },
    };
    this.known = newKnowledge(this.pod, ADDRESSES, this.now);
    this.step();
  }

  get status(): PodStatus {
    return this.pod.status!;
  }

  condition(type: string): PodCondition | undefined {
    return this.status.conditions?.find((one) => one.type === type);
  }

  /** Advances at the present time, and writes what the node says. */
  step(): this {
    const result = advance({
      pod: this.pod,
      known: this.known,
      times: this.#times,
      missingImages: this.#missingImages,
      status: { hostAddresses: ['10.0.1.1'], observesGeneration: this.observesGeneration },
      now: this.now,
    });
    this.last = result;
    this.known = result.known;
    const patch = result.status && statusPatch(this.pod, result.status);
    if (patch !== undefined) {
      this.pod.status = merged(this.status, patch.status);
      this.history.push(structuredClone(this.status));
    }
    if (result.isRemoved) this.isRemoved = true;
    return this;
  }

  /** Lets milliseconds pass: everything happens when it is due. */
  pass(milliseconds: number): this {
    const end = this.now + milliseconds;
    for (let steps = 0; ; steps += 1) {
      if (steps > 10_000) throw new Error('the Pod is never at rest');
      const due = this.last?.due;
      if (due === undefined || due > end || this.isRemoved) break;
      this.now = Math.max(this.now, due);
      this.step();
    }
    this.now = end;
    return this.step();
  }

  annotate(annotations: Record<string, string>): this {
    this.pod.metadata!.annotations = { ...this.pod.metadata!.annotations, ...annotations };
    return this.step();
  }

  /** Marks the Pod as deleted. @param grace seconds */
  delete(grace = 30): this {
    this.pod.metadata!.deletionTimestamp = new Date(this.now + grace * 1000).toISOString();
    this.pod.metadata!.deletionGracePeriodSeconds = grace;
    return this.step();
  }

  /** The node forgets everything, and reads the status. */
  restartNode(): this {
    this.known = recoveredKnowledge(this.pod, ADDRESSES, this.#times.restartBackOff, this.now);
    return this.step();
  }
}

/** A strategic merge: conditions by type, null removes a member. */
function merged(status: PodStatus, patch: Readonly<Record<string, unknown>>): PodStatus {
  const result: Record<string, unknown> = { ...status };
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete result[name];
    else if (name !== 'conditions') result[name] = value;
    else {
      const conditions = [...(status.conditions ?? [])];
      for (const condition of value as PodCondition[]) {
        const at = conditions.findIndex(({ type }) => type === condition.type);
        const next = withoutNull({ ...conditions[at], ...condition });
        if (at < 0) conditions.push(next);
        else conditions[at] = next;
      }
      result[name] = conditions;
    }
  }
  return result as PodStatus;
}

const withoutNull = (condition: PodCondition): PodCondition =>
  Object.fromEntries(
    Object.entries(condition).filter(([name, value]) => value !== null || name === 'lastProbeTime'),
  );

/** The texts of the states of the main containers, such as `running` and `waiting CrashLoopBackOff`. */
export const states = ({ status }: SimulatedPod): string[] =>
  (status.containerStatuses ?? []).map(({ state = {} }) =>
    state.running !== undefined
      ? 'running'
      : state.terminated !== undefined
        ? `terminated ${state.terminated.reason} ${state.terminated.exitCode}`
        : `waiting ${state.waiting?.reason}`,
  );
