import { writeJson } from '../../codec/json-write.ts';
import { fromPlain } from '../../codec/typed.ts';
import type {
  MetricSpec as PlainMetric,
  MetricStatus as PlainMetricStatus,
} from '../../model/generated/autoscaling-v1.ts';
import type {
  HorizontalPodAutoscalerBehavior,
  HorizontalPodAutoscalerCondition,
  HPAScalingRules,
} from '../../model/generated/autoscaling-v2.ts';
import { internalTypes } from '../../model/internal-types.ts';
import type { Life } from '../../model/life.ts';
import type { RuleContext } from '../../model/rule-context.ts';

/**
 * v1 lacks fields for most of v2: these annotations carry them as JSON. v2 never contains these annotations.
 */
export const METRICS = 'autoscaling.alpha.kubernetes.io/metrics';
export const CURRENT_METRICS = 'autoscaling.alpha.kubernetes.io/current-metrics';
export const CONDITIONS = 'autoscaling.alpha.kubernetes.io/conditions';
export const BEHAVIOR = 'autoscaling.alpha.kubernetes.io/behavior';

type Annotations = Readonly<Record<string, string>> | undefined;

/** Returns the annotations without those for conversion; undefined when none are left. */
export function withoutConversionAnnotations(annotations: Annotations): Record<string, string> | undefined {
  if (annotations === undefined) return undefined;
  const remaining = Object.entries(annotations).filter(
    ([name]) => ![METRICS, CURRENT_METRICS, CONDITIONS, BEHAVIOR].includes(name),
  );
  return remaining.length === 0 ? undefined : Object.fromEntries(remaining);
}

const isConversionAnnotation = (annotations: Annotations, name: string): string | undefined =>
  annotations !== undefined && Object.hasOwn(annotations, name) ? annotations[name] : undefined;

/** Reads a list from an annotation; an invalid list counts as absent. */
function readList<T>(annotations: Annotations, name: string, type: string): T[] | undefined {
  const text = isConversionAnnotation(annotations, name);
  if (text === undefined) return undefined;
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list)
      ? list.map((element) => fromPlain(internalTypes.type(`autoscaling_v1.${type}`), element).value as T)
      : undefined;
  } catch {
    return undefined;
  }
}

const writeList = (list: readonly object[], type: string): string =>
  `[${list.map((element) => writeJson(internalTypes.type(`autoscaling_v1.${type}`), element)).join(',')}]`;

export const readMetrics = (annotations: Annotations): PlainMetric[] | undefined =>
  readList(annotations, METRICS, 'MetricSpec');
export const readCurrentMetrics = (annotations: Annotations): PlainMetricStatus[] | undefined =>
  readList(annotations, CURRENT_METRICS, 'MetricStatus');
export const readConditions = (annotations: Annotations): HorizontalPodAutoscalerCondition[] | undefined =>
  readList(annotations, CONDITIONS, 'HorizontalPodAutoscalerCondition');
export const writeMetrics = (list: readonly PlainMetric[]): string => writeList(list, 'MetricSpec');
export const writeCurrentMetrics = (list: readonly PlainMetricStatus[]): string =>
  writeList(list, 'MetricStatus');
export const writeConditions = (list: readonly HorizontalPodAutoscalerCondition[]): string =>
  writeList(list, 'HorizontalPodAutoscalerCondition');

/** The releases that have the tolerance of a rule. */
const HAS_TOLERANCE: Life = { since: '1.33' };

/** Unlike the other annotations, this one has capitalized members, and absent members are null. */
export function writeBehavior(
  { scaleUp, scaleDown }: HorizontalPodAutoscalerBehavior,
  { has }: Pick<RuleContext, 'has'>,
): string {
  const rules = (of: HPAScalingRules | undefined): object | null =>
    of === undefined
      ? null
      : {
          StabilizationWindowSeconds: of.stabilizationWindowSeconds ?? null,
          SelectPolicy: of.selectPolicy ?? null,
          Policies:
            of.policies?.map(({ type, value, periodSeconds }) => ({
              Type: type ?? '',
              Value: value ?? 0,
              PeriodSeconds: periodSeconds ?? 0,
            })) ?? null,
          ...(has(HAS_TOLERANCE) ? { Tolerance: of.tolerance ?? null } : {}),
        };
  return JSON.stringify({ ScaleUp: rules(scaleUp), ScaleDown: rules(scaleDown) });
}

export function readBehavior(annotations: Annotations): HorizontalPodAutoscalerBehavior | undefined {
  const text = isConversionAnnotation(annotations, BEHAVIOR);
  if (text === undefined) return undefined;
  try {
    const behavior = fromPlain(
      internalTypes.type('autoscaling_v2.HorizontalPodAutoscalerBehavior'),
      namedAsInV2(JSON.parse(text)),
    ).value as HorizontalPodAutoscalerBehavior;
    return behavior.scaleUp === undefined && behavior.scaleDown === undefined ? undefined : behavior;
  } catch {
    return undefined;
  }
}

const BEHAVIOR_MEMBERS = new Map(
  [
    ...['scaleUp', 'scaleDown', 'stabilizationWindowSeconds', 'selectPolicy', 'policies', 'tolerance'],
    ...['type', 'value', 'periodSeconds'],
  ].map((name) => [name.toLowerCase(), name]),
);

/** Names the members of a behavior, in any case, as v2 does. */
function namedAsInV2(value: unknown, depth = 0): unknown {
  if (Array.isArray(value)) return value.map((element) => namedAsInV2(element, depth + 1));
  if (typeof value !== 'object' || value === null || depth > 4) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      const known = BEHAVIOR_MEMBERS.get(name.toLowerCase());
      return member === null || known === undefined ? [] : [[known, namedAsInV2(member, depth + 1)]];
    }),
  );
}
