import type { Pod } from '../../model/generated/core-v1.ts';
import type { KubernetesObject } from '../../model/object.ts';
import type { IndexedSource } from '../../reader/object-source.ts';
import type { NamedContext } from '../../reconcile/controller.ts';
import type { SeriesRecorder } from '../../reconcile/events/series-recorder.ts';
import { PODS } from '../../reconcile/resources.ts';
import { runInBackground } from '../../steps/run.ts';
import { processClock } from '../../time/clock.ts';
import { Decider, type Decision } from '../decision/decide.ts';
import { allocateDevices } from '../devices/allocator.ts';
import { DeviceBinder, type DevicePlan } from '../devices/device-binder.ts';
import { podClaims } from '../devices/pod-claims.ts';
import type { RuleName } from '../filters/filter.ts';
import { sortClaims } from '../filters/volume-binding.ts';
import type { NodeInfo } from '../objects/node-info.ts';
import type { PendingPod } from '../objects/pending-pod.ts';
import { podKey } from '../objects/pod-info.ts';
import type { QueuedPod } from '../queue/entry.ts';
import { SchedulingQueue } from '../queue/scheduling-queue.ts';
import { NODES } from '../resources.ts';
import { VolumeBinder } from '../volumes/volume-binder.ts';
import { planVolumes, type VolumePlan } from '../volumes/volume-plan.ts';
import { Binder, type Placement } from './binder.ts';
import { followNodes } from './node-follower.ts';
import { PodFollower, SCHEDULER_NAME } from './pod-follower.ts';
import { patchStatus, statusChange } from './pod-status.ts';
import { Preemptor } from './preemptor.ts';
import type { SchedulerSettings } from './settings.ts';
import { World } from './world.ts';

const NO_RULES: ReadonlySet<RuleName> = new Set();

/** Gives nodes to pods, one after the other. Bindings are written meanwhile. */
export class Scheduler {
  readonly pods: IndexedSource;
  readonly nodes: IndexedSource;
  readonly world: World;
  readonly queue: SchedulingQueue;
  readonly #parts: NamedContext;
  readonly #client: ReturnType<NamedContext['client']>;
  readonly #events: SeriesRecorder;
  readonly #follower: PodFollower;
  readonly #decider: Decider;
  readonly #volumes: VolumeBinder;
  readonly #devices: DeviceBinder | undefined;
  readonly #binder: Binder;
  readonly #preemptor: Preemptor;

  /** @param onReady called when a pod is to be scheduled */
  constructor(parts: NamedContext, settings: SchedulerSettings, onReady: () => void) {
    const { clusterClock, clock } = parts;
    this.#parts = parts;
    this.#client = parts.client(parts.user);
    this.#events = parts.seriesEvents(SCHEDULER_NAME, SCHEDULER_NAME);
    this.pods = parts.objects(PODS);
    this.nodes = parts.objects(NODES);
    this.queue = new SchedulingQueue({ clock: clusterClock, heldBy: (pod) => this.#heldBy(pod), onReady });
    const happened = this.queue.happened.bind(this.queue);
    this.world = new World(parts, settings, happened);
    const { state, nominations, volumes, devices } = this.world;
    this.#follower = new PodFollower({
      source: this.pods,
      state,
      queue: this.queue,
      nominations,
      rules: settings.rules,
      happened,
      seen: (pod) => this.world.seen(pod),
    });
    followNodes(this.nodes, state, happened);
    this.#decider = new Decider({ view: this.world, random: Math.random, now: () => clusterClock.now() });
    this.#volumes = new VolumeBinder({
      client: this.#client,
      volumes,
      clock,
      node: (name) => state.node(name)?.info,
      hasPod: (key) => this.pods.has(key),
    });
    this.pods.onChange((_key, current) => {
      if (current === undefined) this.#volumes.changed();
    });
    this.#devices = devices && new DeviceBinder(this.#client, devices);
    this.#binder = new Binder({ client: this.#client, volumes: this.#volumes, devices: this.#devices });
    this.#preemptor = new Preemptor({
      client: this.#client,
      pods: this.pods,
      events: this.#events,
      nominations,
      clusterClock,
    });
  }

  /** Schedules pods whose turn it is, until that has taken a while. */
  async work(milliseconds: number): Promise<void> {
    const end = processClock.monotonic() + milliseconds;
    for (let entry = this.queue.next(); entry !== undefined; entry = this.queue.next()) {
      await this.#schedule(entry);
      if (processClock.monotonic() >= end) return;
    }
  }

  stop(): void {
    this.queue.clear();
    this.#volumes.stop();
    this.#events.stop();
  }

  #heldBy(pod: PendingPod): RuleName | undefined {
    if (pod.gates.length > 0) return 'SchedulingGates';
    const { devices } = this.world;
    if (pod.resourceClaims.length === 0 || devices?.isOpen !== true) return undefined;
    return typeof podClaims(pod, devices) === 'string' ? 'DynamicResources' : undefined;
  }

  async #schedule(entry: QueuedPod): Promise<void> {
    try {
      await this.world.open(entry.pod);
      const rule = this.#heldBy(entry.pod);
      if (rule !== undefined) {
        this.queue.hold(entry, rule);
        return;
      }
      await this.#binder.ready();
      await this.#carryOut(entry, await runInBackground(this.#decider.decide(entry.pod)));
    } catch (error) {
      this.#parts.logger.error('failed to schedule a pod', {
        pod: podKey(entry.pod.info),
        err: (error as Error).message,
      });
      this.queue.reject(entry, NO_RULES);
    }
  }

  async #carryOut(entry: QueuedPod, decision: Decision): Promise<void> {
    const pod = this.#stored(entry);
    if (pod === undefined) return;
    if (decision.kind === 'place') this.#place(entry, decision.node);
    else if (decision.kind === 'fail')
      await this.#reject(entry, decision.message, 'SchedulerError', NO_RULES, '');
    else await this.#rejected(entry, pod, decision);
  }

  /** The pod as it is stored; undefined if it does not wait any more. */
  #stored({ pod: { info } }: QueuedPod): Pod | undefined {
    const key = podKey(info);
    const pod = this.pods.get(key) as Pod | undefined;
    return pod?.metadata?.uid === info.uid && this.queue.pod(key) !== undefined ? pod : undefined;
  }

  async #rejected(
    entry: QueuedPod,
    pod: Pod,
    { message, rules, preemption, released, endsNomination }: Extract<Decision, { kind: 'reject' }>,
  ): Promise<void> {
    let nominated = endsNomination ? '' : undefined;
    let text = message;
    try {
      if (released !== undefined) await this.#devices!.deallocate(released);
      if (preemption !== undefined) {
        await this.#preemptor.preempt(pod, entry.pod.info, preemption);
        nominated = preemption.node;
      }
    } catch (error) {
      text = `${message} preemption: ${(error as Error).message}`;
    }
    await this.#reject(entry, text, 'Unschedulable', rules, nominated);
  }

  /** Puts a pod back, and says why. @param nominated its node from now on, empty for none; undefined: as before */
  async #reject(
    entry: QueuedPod,
    message: string,
    reason: 'Unschedulable' | 'SchedulerError',
    rules: ReadonlySet<RuleName>,
    nominated: string | undefined,
  ): Promise<void> {
    const pod = this.#stored(entry);
    this.queue.reject(entry, rules);
    if (pod === undefined) return;
    if (nominated === '') this.world.nominations.delete(entry.pod.info.uid);
    this.#report(pod, 'Warning', 'FailedScheduling', 'Scheduling', message);
    const condition = { type: 'PodScheduled', status: 'False', reason, message };
    const change = statusChange(pod, condition, nominated, this.#parts.clusterClock.now());
    if (change !== undefined) await patchStatus(this.#client, pod, change);
  }

  #place(entry: QueuedPod, node: string): void {
    const placement = this.#binder.assume(this.#plan(entry.pod, node));
    this.#follower.assume(podKey(placement.pod), placement.pod, node);
    void this.#bind(entry, placement);
  }

  /** What has to happen besides, decided again for the one node. */
  #plan(pod: PendingPod, name: string): Placement {
    const node = this.world.state.node(name)!.info!;
    return {
      pod: pod.info,
      node: name,
      volumes: this.#volumePlan(pod, node),
      devices: this.#devicePlan(pod, node),
    };
  }

  #volumePlan({ info }: PendingPod, node: NodeInfo): VolumePlan | undefined {
    if (info.claims.length === 0) return undefined;
    const { volumes } = this.world;
    const claims = sortClaims(info, volumes);
    if (typeof claims === 'string' || claims.waiting.length === 0) return undefined;
    const result = planVolumes(claims, node, volumes);
    return 'plan' in result ? result.plan : undefined;
  }

  #devicePlan(pod: PendingPod, node: NodeInfo): DevicePlan | undefined {
    const { devices } = this.world;
    if (devices === undefined || pod.resourceClaims.length === 0) return undefined;
    const claims = podClaims(pod, devices);
    if (typeof claims === 'string' || claims.length === 0) return undefined;
    const waiting = claims.filter(({ status }) => status?.allocation === undefined);
    const allocations = waiting.length === 0 ? [] : (allocateDevices(waiting, node, devices) ?? []);
    return { claims, allocations };
  }

  async #bind(entry: QueuedPod, placement: Placement): Promise<void> {
    const { pod, node } = placement;
    const key = podKey(pod);
    try {
      await this.#binder.bind(placement);
      const stored = this.pods.get(key) as Pod | undefined;
      const note = `Successfully assigned ${key} to ${node}`;
      if (stored !== undefined) this.#report(stored, 'Normal', 'Scheduled', 'Binding', note);
    } catch (error) {
      await this.#giveUp(entry, placement, error as Error);
    }
  }

  async #giveUp(entry: QueuedPod, placement: Placement, error: Error): Promise<void> {
    const { logger } = this.#parts;
    const key = podKey(placement.pod);
    try {
      // The answer may have been lost after the write.
      await this.pods.caughtUp();
      await this.#binder.forget(placement);
    } catch (problem) {
      logger.detail(2, 'failed to undo a binding', { pod: key, err: (problem as Error).message });
    }
    if (!this.#follower.forget(key)) return;
    logger.detail(2, 'failed to bind a pod', { pod: key, err: error.message });
    await this.#reject(entry, error.message, 'SchedulerError', NO_RULES, '').catch((problem: Error) =>
      logger.detail(2, 'failed to report on a pod', { pod: key, err: problem.message }),
    );
  }

  #report(pod: Pod, type: 'Normal' | 'Warning', reason: string, action: string, note: string): void {
    this.#events.record({ resource: PODS, object: pod as KubernetesObject, type, reason, action, note });
  }
}
