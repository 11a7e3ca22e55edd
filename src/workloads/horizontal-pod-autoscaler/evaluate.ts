import type {
  MetricSpec,
  MetricStatus,
  MetricTarget,
  MetricValueStatus,
} from '../../model/generated/autoscaling-v2.ts';
import { selectorMessage } from '../../model/object-label-selector.ts';
import { formatQuantity } from '../../model/quantity.ts';
import type { Metrics, NamedMetric, PodSelection } from './metrics.ts';
import {
  byAverage,
  byShare,
  byUtilization,
  byValue,
  type Proposal,
  type Situation,
} from './replica-count.ts';
import { thousandths } from './resource-metrics.ts';

/** What one metric of an autoscaler asks for. */
export interface Evaluation {
  readonly replicas: number;
  /** The metric, as conditions and events name it. */
  readonly name: string;
  readonly status: MetricStatus;
}

/** Why a metric could not be evaluated. */
export interface MetricFailure {
  /** As the condition and the event have it. */
  readonly reason: string;
  /** Why, without naming the metric. */
  readonly detail: string;
  /** Why, as the error of all metrics says it. */
  readonly message: string;
  readonly cause: unknown;
}

/** An error that names the metric once more, which conditions and events do not. */
class NamingError extends Error {
  override readonly name = 'NamingError';
  readonly detail: string;

  constructor(prefix: string, cause: Error) {
    super(`${prefix}: ${cause.message}`, { cause });
    this.detail = cause.message;
  }
}

export interface EvaluationContext {
  readonly metrics: Metrics;
  readonly selection: PodSelection;
  readonly situation: Situation;
}

export async function evaluate(
  context: EvaluationContext,
  spec: MetricSpec,
): Promise<Evaluation | MetricFailure> {
  const { reason, prefix, run } = evaluatorOf(spec);
  try {
    return await run(context);
  } catch (error) {
    const { message } = error as Error;
    const detail = error instanceof NamingError ? error.detail : message;
    return { reason, detail, message: `${prefix}: ${message}`, cause: error };
  }
}

interface Evaluator {
  readonly reason: string;
  /** What the error of all metrics says of this one. */
  readonly prefix: string;
  readonly run: (context: EvaluationContext) => Promise<Evaluation>;
}

function evaluatorOf(spec: MetricSpec): Evaluator {
  const { resource, containerResource } = spec;
  switch (spec.type) {
    case 'Resource':
      return {
        reason: 'FailedGetResourceMetric',
        prefix: `failed to get ${resource?.name} resource metric value`,
        async run(context) {
          const { name = '', target = {} } = resource ?? {};
          const { current, ...rest } = await evaluateResource(context, target, name, undefined);
          return { ...rest, status: { type: 'Resource', resource: { name, current } } };
        },
      };
    case 'ContainerResource':
      return {
        reason: 'FailedGetContainerResourceMetric',
        prefix: `failed to get ${containerResource?.container} container metric value`,
        async run(context) {
          const { name = '', container = '', target = {} } = containerResource ?? {};
          const { current, ...rest } = await evaluateResource(context, target, name, container);
          return {
            ...rest,
            status: { type: 'ContainerResource', containerResource: { name, container, current } },
          };
        },
      };
    case 'Pods':
      return {
        reason: 'FailedGetPodsMetric',
        prefix: 'failed to get pods metric value',
        run: (context) => evaluatePods(context, spec),
      };
    case 'Object':
      return {
        reason: 'FailedGetObjectMetric',
        prefix: 'failed to get object metric value',
        run: (context) => evaluateObject(context, spec),
      };
    default:
      return {
        reason: 'FailedGetExternalMetric',
        prefix: `failed to get ${spec.external?.metric?.name} external metric value`,
        run: (context) => evaluateExternal(context, spec),
      };
  }
}

/** Adds what an error is about. @throws Error */
async function within<Result>(text: string, act: () => Promise<Result> | Result): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    throw new Error(`${text}: ${(error as Error).message}`, { cause: error });
  }
}

/** @throws NamingError */
async function naming<Result>(prefix: string, act: () => Promise<Result> | Result): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    throw new NamingError(prefix, error as Error);
  }
}

const quantityOf = (usage: bigint): string =>
  formatQuantity({ unscaled: usage, scale: -3, format: 'DecimalSI' });

type ResourceEvaluation = Omit<Evaluation, 'status'> & { readonly current: MetricValueStatus };

async function evaluateResource(
  { metrics, selection, situation }: EvaluationContext,
  { averageValue, averageUtilization }: MetricTarget,
  resource: string,
  container: string | undefined,
): Promise<ResourceEvaluation> {
  const isAverage = averageValue !== undefined;
  if (!isAverage && averageUtilization === undefined)
    throw new Error(
      'invalid resource metric source: neither an average utilization target nor an average value (usage) target was set',
    );
  return within(`failed to get ${resource} ${isAverage ? 'usage' : 'utilization'}`, async () => {
    const measured = await within(`unable to get metrics for resource ${resource}`, () =>
      metrics.resource(selection, resource, container),
    );
    const proposal = isAverage
      ? byAverage(situation, measured, thousandths(averageValue), resource)
      : byUtilization(situation, measured, averageUtilization!, resource, container);
    return {
      replicas: proposal.replicas,
      name: isAverage ? `${resource} resource` : utilizationName(resource, container),
      current: valueStatus(proposal),
    };
  });
}

const utilizationName = (resource: string, container: string | undefined): string =>
  `${resource} ${container === undefined ? '' : 'container '}resource utilization (percentage of request)`;

const valueStatus = ({ usage, utilization }: Proposal): MetricValueStatus => ({
  averageValue: quantityOf(usage),
  ...(utilization !== undefined && { averageUtilization: utilization }),
});

const namedMetric = (
  metric: { readonly name?: string; readonly selector?: NamedMetric['selector'] } = {},
): NamedMetric => ({
  name: metric.name ?? '',
  selector: metric.selector,
});

async function evaluatePods(
  { metrics, selection, situation }: EvaluationContext,
  { pods }: MetricSpec,
): Promise<Evaluation> {
  const metric = namedMetric(pods?.metric);
  const measured = await within(`unable to get metric ${metric.name}`, () => metrics.pods(selection, metric));
  const { replicas, usage } = byAverage(
    situation,
    measured,
    thousandths(pods?.target?.averageValue ?? '0'),
    undefined,
  );
  return {
    replicas,
    name: `pods metric ${metric.name}`,
    status: {
      type: 'Pods',
      pods: { metric: pods?.metric ?? {}, current: { averageValue: quantityOf(usage) } },
    },
  };
}

async function evaluateObject(
  { metrics, selection: { namespace }, situation }: EvaluationContext,
  { object = {} }: MetricSpec,
): Promise<Evaluation> {
  const { describedObject = {}, target = {} } = object;
  const metric = namedMetric(object.metric);
  const read = async (): Promise<bigint> => {
    try {
      return await metrics.object(namespace, describedObject, metric);
    } catch (error) {
      throw new Error(
        `unable to get metric ${metric.name}: ${describedObject.kind} on ${namespace} ${describedObject.name}/${(error as Error).message}`,
        { cause: error },
      );
    }
  };
  if (target.type === 'Value' && target.value !== undefined) {
    const { replicas, usage } = byValue(situation, await read(), thousandths(target.value));
    return {
      replicas,
      name: `${describedObject.kind} metric ${metric.name}`,
      status: {
        type: 'Object',
        object: { describedObject, metric: object.metric ?? {}, current: { value: quantityOf(usage) } },
      },
    };
  }
  if (target.type === 'AverageValue' && target.averageValue !== undefined) {
    const total = await naming(`failed to get ${metric.name} object metric`, read);
    const { replicas, usage } = byShare(situation, total, thousandths(target.averageValue));
    return {
      replicas,
      // The reference names it so, too.
      name: externalName(metric),
      // It does not say which object it is of.
      status: {
        type: 'Object',
        object: {
          describedObject: {},
          metric: object.metric ?? {},
          current: { averageValue: quantityOf(usage) },
        },
      },
    };
  }
  throw new Error('invalid object metric source: neither a value target nor an average value target was set');
}

const selectorName = ({ selector }: NamedMetric): string =>
  selector === undefined ? 'nil' : selectorMessage(selector);

const externalName = (metric: NamedMetric): string =>
  `external metric ${metric.name}(${selectorName(metric)})`;

async function evaluateExternal(
  { metrics, selection: { namespace }, situation }: EvaluationContext,
  { external = {} }: MetricSpec,
): Promise<Evaluation> {
  const { target = {} } = external;
  const metric = namedMetric(external.metric);
  const read = (): Promise<bigint> =>
    within(`unable to get external metric ${namespace}/${metric.name}/${selectorName(metric)}`, () =>
      metrics.external(namespace, metric),
    );
  const status = (current: MetricValueStatus): MetricStatus => ({
    type: 'External',
    external: { metric: external.metric ?? {}, current },
  });
  if (target.averageValue !== undefined) {
    const total = await naming(`failed to get ${metric.name} external metric`, read);
    const { replicas, usage } = byShare(situation, total, thousandths(target.averageValue));
    return { replicas, name: externalName(metric), status: status({ averageValue: quantityOf(usage) }) };
  }
  if (target.value === undefined)
    throw new Error(
      'invalid external metric source: neither a value target nor an average value target was set',
    );
  const wanted = thousandths(target.value);
  return naming(`failed to get external metric ${metric.name}`, async () => {
    const { replicas, usage } = byValue(situation, await read(), wanted);
    return { replicas, name: externalName(metric), status: status({ value: quantityOf(usage) }) };
  });
}
