import type { FlowSchema, PriorityLevelConfiguration } from '../model/generated/flowcontrol-v1.ts';
import type { Filter, RequestContext } from '../request/context.ts';
import type { UserInfo } from '../request/user.ts';
import { compileRules, type RequestTest, type UserTest } from './priority-rules.ts';

/** Where flow schemas and priority levels come from. */
export interface FlowControlLister {
  /** Moves with every change of what is below. */
  readonly generation: number;
  flowSchemas(): readonly FlowSchema[];
  priorityLevels(): readonly PriorityLevelConfiguration[];
}

/** The flow schema a request falls under, and the priority level that it is served at. */
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
 * Says which flow schema a request falls under: the first, by precedence and then name, of which a rule
 * covers it. Schemas whose priority level doesn't exist are passed over. Which rules concern a user is found
 * out once for each user of each generation.
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
 * Names flow schema and priority level in the answer.
 * @param onDispatched told which flow each request that goes on belongs to
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
