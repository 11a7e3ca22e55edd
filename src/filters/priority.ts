import type { FlowSchema, PriorityLevelConfiguration } from '../model/generated/flowcontrol-v1.ts';
import type { Filter, RequestContext } from '../request/context.ts';
import type { UserInfo } from '../request/user.ts';
import { compileRules, type RequestTest, type UserTest } from './priority-rules.ts';

/** Lists flow schemas and priority levels. */
export interface FlowControlLister {
  /** Increases with every change of the lists. */
  readonly generation: number;
  flowSchemas(): readonly FlowSchema[];
  priorityLevels(): readonly PriorityLevelConfiguration[];
}

/** The flow schema and the priority level of a request. */
export interface Flow {
  readonly schema: FlowSchema;
  readonly level: PriorityLevelConfiguration;
}

interface CompiledRule {
  readonly flow: Flow;
  readonly concerns: UserTest;
  readonly covers: RequestTest;
}

/**
 * Classifies requests: the first matching flow schema wins, by precedence and then by name. Schemas without
 * an existing priority level are skipped. The rules for a user are cached per generation.
 */
export function createClassifier(source: FlowControlLister): (context: RequestContext) => Flow | undefined {
  let generation = Number.NaN;
  let rules: readonly CompiledRule[] = [];
  let byUser = new WeakMap<UserInfo, readonly CompiledRule[]>();
  return ({ user, info }) => {
    if (source.generation !== generation) {
      generation = source.generation;
      rules = compile(source);
      byUser = new WeakMap();
    }
    let concerned = byUser.get(user);
    if (concerned === undefined) {
      concerned = rules.filter(({ concerns }) => concerns(user));
      byUser.set(user, concerned);
    }
    for (const rule of concerned) if (rule.covers(info)) return rule.flow;
    return undefined;
  };
}

function compile(source: FlowControlLister): CompiledRule[] {
  const levels = new Map(source.priorityLevels().map((level) => [level.metadata?.name, level]));
  return [...source.flowSchemas()].sort(inOrder).flatMap((schema) => {
    const level = levels.get(schema.spec?.priorityLevelConfiguration?.name);
    if (level === undefined) return [];
    const flow: Flow = { schema, level };
    return compileRules(schema).map((rule) => ({ flow, ...rule }));
  });
}

function inOrder(left: FlowSchema, right: FlowSchema): number {
  const byPrecedence = (left.spec?.matchingPrecedence ?? 0) - (right.spec?.matchingPrecedence ?? 0);
  return byPrecedence !== 0
    ? byPrecedence
    : (left.metadata?.name ?? '') < (right.metadata?.name ?? '')
      ? -1
      : 1;
}

/**
 * Sets the response headers for flow schema and priority level.
 * @param onDispatched called with the flow of each dispatched request
 */
export function priorityFilter(source: FlowControlLister, onDispatched: (flow: Flow) => void): Filter {
  const classify = createClassifier(source);
  return (context, next) => {
    const flow = classify(context);
    if (flow !== undefined) {
      context.exchange.setHeader('x-kubernetes-pf-flowschema-uid', flow.schema.metadata?.uid ?? '');
      context.exchange.setHeader('x-kubernetes-pf-prioritylevel-uid', flow.level.metadata?.uid ?? '');
      onDispatched(flow);
    }
    return next(context);
  };
}
