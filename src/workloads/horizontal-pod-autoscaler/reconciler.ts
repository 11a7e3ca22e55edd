import type { HorizontalPodAutoscaler, MetricStatus } from '../../model/generated/autoscaling-v2.ts';
import type { Pod } from '../../model/generated/core-v1.ts';
import { parseLabelSelector } from '../../model/label-selector.ts';
import { parseQuantity, quantityToNumber } from '../../model/quantity.ts';
import { formatTime } from '../../model/time.ts';
import type { ObjectSource } from '../../reader/object-source.ts';
import type { Client } from '../../reconcile/client.ts';
import { isSame } from '../../reconcile/equality.ts';
import type { EventRecorder, EventType } from '../../reconcile/events/recorder.ts';
import { isManaged } from '../../reconcile/managed.ts';
import { HORIZONTAL_POD_AUTOSCALERS } from '../../reconcile/resources.ts';
import type { ServedKinds } from '../../reconcile/scale.ts';
import { Conditions } from './conditions.ts';
import { byRange, decide, rangeOf } from './decide.ts';
import { type Evaluation, evaluate, type MetricFailure } from './evaluate.ts';
import { ScaleHistory } from './history.ts';
import type { Range } from './limits.ts';
import type { Metrics, PodSelection } from './metrics.ts';
import type { Tolerances } from './replica-count.ts';
import { readTarget, type ScaleTarget } from './scale-target.ts';
import { AutoscalerSelectors } from './selectors.ts';
import type { AutoscalerSettings } from './settings.ts';

export interface AutoscalerReconcilerOptions {
  readonly autoscalers: ObjectSource;
  readonly pods: ObjectSource;
  readonly client: Pick<Client, 'getExisting' | 'update'>;
  readonly kinds: ServedKinds;
  readonly metrics: Metrics;
  readonly events: EventRecorder;
  readonly settings: AutoscalerSettings;
  readonly now: () => number;
}

/** An autoscaler while it is decided about. */
interface Run {
  readonly key: string;
  readonly autoscaler: HorizontalPodAutoscaler;
  readonly conditions: Conditions;
  readonly history: ScaleHistory;
  readonly now: number;
}

/** What the metrics of an autoscaler ask for. */
interface Recommendation {
  readonly replicas: number;
  /** The metric that asks for it. */
  readonly metric: string;
  readonly statuses: readonly MetricStatus[];
  /** Why some of several metrics do not count. */
  readonly failure: Error | undefined;
}

/** Decides about the number of Pods of the objects that autoscalers scale. */
export class AutoscalerReconciler {
  readonly #options: AutoscalerReconcilerOptions;
  readonly #histories = new Map<string, ScaleHistory>();
  readonly #selectors = new AutoscalerSelectors();

  constructor(options: AutoscalerReconcilerOptions) {
    this.#options = options;
  }

  forget(key: string): void {
    this.#histories.delete(key);
    this.#selectors.delete(key);
  }

  /** @throws Error that says what could not be done; it is in the conditions and events, too */
  async reconcile(key: string): Promise<void> {
    const { autoscalers, settings, now } = this.#options;
    const autoscaler = autoscalers.get(key) as HorizontalPodAutoscaler | undefined;
    if (autoscaler === undefined || !isManaged(autoscaler.metadata ?? {})) return;
    let history = this.#histories.get(key);
    if (history === undefined) {
      history = new ScaleHistory(settings.downscaleStabilization);
      this.#histories.set(key, history);
    }
    const time = now();
    const conditions = new Conditions(autoscaler.status?.conditions ?? [], time);
    await this.#scale({ key, autoscaler, conditions, history, now: time });
  }

  async #scale(run: Run): Promise<void> {
    const target = await this.#target(run);
    const current = target.scale.spec?.replicas ?? 0;
    if (run.history.recommended.length === 0) run.history.recommend(current, run.now);
    const range = rangeOf(run.autoscaler, current);
    const bounded = byRange(range);
    if (bounded === 'disabled') {
      const message = 'scaling is disabled since the replica count of the target is zero';
      run.conditions.set('ScalingActive', false, 'ScalingDisabled', message);
      await this.#writeStatus(run, current, current, [], false);
    } else if (bounded === 'measure') await this.#measure(run, target, range);
    else await this.#rescale(run, target, bounded.replicas, bounded.reason, []);
  }

  async #target(run: Run): Promise<ScaleTarget> {
    const { client, kinds } = this.#options;
    const { conditions, autoscaler } = run;
    try {
      const target = await readTarget(client, kinds, autoscaler);
      const message = "the HPA controller was able to get the target's current scale";
      conditions.set('AbleToScale', true, 'SucceededGetScale', message);
      return target;
    } catch (error) {
      const { message } = error as Error;
      this.#report(run, 'Warning', 'FailedGetScale', message);
      const text = `the HPA controller was unable to get the target's current scale: ${message}`;
      conditions.set('AbleToScale', false, 'FailedGetScale', text);
      const { currentReplicas = 0, desiredReplicas = 0, currentMetrics } = autoscaler.status ?? {};
      // Without metrics it is null.
      await this.#writeStatus(run, currentReplicas, desiredReplicas, currentMetrics ?? [], false);
      throw error;
    }
  }

  async #measure(run: Run, target: ScaleTarget, range: Range): Promise<void> {
    const { settings } = this.#options;
    const statuses: MetricStatus[] = [];
    const recommendation = await this.#recommend(run, target, statuses).catch(async (error: Error) => {
      await this.#writeStatus(
        run,
        range.current,
        run.autoscaler.status?.desiredReplicas ?? 0,
        statuses,
        false,
      );
      this.#report(run, 'Warning', 'FailedComputeMetricsReplicas', error.message);
      throw error;
    });
    const wanted = recommendation.replicas;
    const deciding = { ...run, downWindow: settings.downscaleStabilization };
    const replicas = decide(run.autoscaler, range, wanted, deciding);
    if (replicas === range.current) await this.#writeStatus(run, replicas, replicas, statuses, false);
    else {
      const above = wanted > range.current ? `${recommendation.metric} above target` : '';
      const reason = wanted < range.current ? 'All metrics below target' : above;
      await this.#rescale(run, target, replicas, reason, statuses);
    }
    if (recommendation.failure !== undefined) throw recommendation.failure;
  }

  /** The highest number that a metric asks for. @param statuses receives what the metrics say */
  async #recommend(run: Run, { scale }: ScaleTarget, statuses: MetricStatus[]): Promise<Recommendation> {
    const { metrics, settings } = this.#options;
    const { autoscaler, conditions } = run;
    const selection = this.#select(run, scale.status?.selector ?? '');
    const situation = {
      pods: selection.pods,
      wanted: scale.spec?.replicas ?? 0,
      present: scale.status?.replicas ?? 0,
      tolerances: tolerancesOf(autoscaler, settings.tolerance),
      settings,
      now: run.now,
    };
    let highest: Evaluation | undefined;
    const failures: MetricFailure[] = [];
    const specs = autoscaler.spec?.metrics ?? [];
    for (const spec of specs) {
      const evaluated = await evaluate({ metrics, selection, situation }, spec);
      if ('reason' in evaluated) {
        this.#report(run, 'Warning', evaluated.reason, evaluated.detail);
        failures.push(evaluated);
        statuses.push({ type: '' });
      } else {
        statuses.push(evaluated.status);
        if (highest === undefined || evaluated.replicas > highest.replicas) highest = evaluated;
      }
    }
    const [first] = failures;
    const failure =
      first &&
      new Error(
        `invalid metrics (${failures.length} invalid out of ${specs.length}), first error is: ${first.message}`,
        {
          cause: first.cause,
        },
      );
    // A metric that is not known may want more Pods than are there.
    if (highest === undefined || (first !== undefined && highest.replicas < situation.wanted)) {
      if (first !== undefined) {
        const message = `the HPA was unable to compute the replica count: ${first.detail}`;
        conditions.set('ScalingActive', false, first.reason, message);
      }
      throw failure ?? new Error('invalid metrics (0 invalid out of 0)');
    }
    const message = `the HPA was able to successfully calculate a replica count from ${highest.name}`;
    conditions.set('ScalingActive', true, 'ValidMetricFound', message);
    return { replicas: highest.replicas, metric: highest.name, statuses, failure };
  }

  /** The Pods that count. @throws Error without a selector, or if another autoscaler counts them, too */
  #select(run: Run, text: string): PodSelection {
    const { namespace = '' } = run.autoscaler.metadata ?? {};
    const refuse = (reason: string, event: string, message: string, condition: string): never => {
      this.#report(run, 'Warning', event, message);
      run.conditions.set('ScalingActive', false, reason, condition);
      throw new Error(message);
    };
    if (text === '')
      return refuse(
        'InvalidSelector',
        'SelectorRequired',
        'selector is required',
        "the HPA target's scale is missing a selector",
      );
    let selector: ReturnType<typeof parseLabelSelector>;
    try {
      selector = parseLabelSelector(text);
    } catch (error) {
      const message = `couldn't convert selector into a corresponding internal selector object: ${(error as Error).message}`;
      return refuse('InvalidSelector', 'InvalidSelector', message, message);
    }
    this.#selectors.set(run.key, selector);
    const pods: Pod[] = [];
    for (const [, pod] of this.#options.pods.entries(namespace))
      if (selector.matches(pod.metadata().labels ?? {})) pods.push(pod.object as Pod);
    const counting = this.#selectors.counting(namespace, pods);
    if (counting.length > 1) {
      const names = counting.map((name) => `{${name} ${namespace}}`).join(' ');
      const message = `pods by selector ${text} are controlled by multiple HPAs: [${names}]`;
      return refuse('AmbiguousSelector', 'AmbiguousSelector', message, message);
    }
    return { namespace, selector: text, pods };
  }

  async #rescale(
    run: Run,
    { resource, scale }: ScaleTarget,
    replicas: number,
    reason: string,
    statuses: readonly MetricStatus[],
  ): Promise<void> {
    const { autoscaler, conditions, history, now } = run;
    const current = scale.spec?.replicas ?? 0;
    try {
      const changed = { ...scale, spec: { ...scale.spec, replicas } };
      await this.#options.client.update(resource, changed, { subresource: 'scale' });
    } catch (error) {
      const { message } = error as Error;
      this.#report(
        run,
        'Warning',
        'FailedRescale',
        `New size: ${replicas}; reason: ${reason}; error: ${message}`,
      );
      const text = `the HPA controller was unable to update the target scale: ${message}`;
      conditions.set('AbleToScale', false, 'FailedUpdateScale', text);
      await this.#writeStatus(run, current, autoscaler.status?.desiredReplicas ?? 0, statuses, false);
      throw error;
    }
    const message = `the HPA controller was able to update the target scale to ${replicas}`;
    conditions.set('AbleToScale', true, 'SucceededRescale', message);
    this.#report(run, 'Normal', 'SuccessfulRescale', `New size: ${replicas}; reason: ${reason}`);
    if (autoscaler.spec?.behavior !== undefined) history.scaled(current, replicas, now);
    await this.#writeStatus(run, current, replicas, statuses, true);
  }

  async #writeStatus(
    run: Run,
    currentReplicas: number,
    desiredReplicas: number,
    currentMetrics: readonly MetricStatus[],
    isRescaled: boolean,
  ): Promise<void> {
    const { autoscaler, conditions, now } = run;
    const lastScaleTime = isRescaled ? formatTime(now) : autoscaler.status?.lastScaleTime;
    const status = {
      ...(lastScaleTime !== undefined && { lastScaleTime }),
      ...(currentReplicas !== 0 && { currentReplicas }),
      desiredReplicas,
      ...(currentMetrics.length > 0 && { currentMetrics: [...currentMetrics] }),
      conditions: conditions.all,
    };
    const { observedGeneration: _, ...before } = autoscaler.status ?? {};
    if (isSame({ desiredReplicas: 0, ...before }, status)) return;
    try {
      const options = { subresource: 'status' };
      await this.#options.client.update(HORIZONTAL_POD_AUTOSCALERS, { ...autoscaler, status }, options);
    } catch (error) {
      this.#report(run, 'Warning', 'FailedUpdateStatus', (error as Error).message);
      throw error;
    }
  }

  #report({ autoscaler }: Run, type: EventType, reason: string, message: string): void {
    this.#options.events.record(HORIZONTAL_POD_AUTOSCALERS, autoscaler, type, reason, message);
  }
}

/** The rules of an autoscaler may have tolerances of their own. */
function tolerancesOf({ spec }: HorizontalPodAutoscaler, common: number): Tolerances {
  const read = (text: string | undefined): number =>
    text === undefined ? common : quantityToNumber(parseQuantity(text));
  const { scaleUp, scaleDown } = spec?.behavior ?? {};
  return { up: read(scaleUp?.tolerance), down: read(scaleDown?.tolerance) };
}
