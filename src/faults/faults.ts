import type { Query } from '../request/query.ts';
import type { RequestInfo } from '../request/request-info.ts';
import { type FaultRule, FaultRuleError, readRule } from './rule.ts';

const MOST_RULES = 100;

/** A rule, and what it has done. */
export interface FaultState {
  readonly id: string;
  readonly rule: FaultRule;
  /** Requests that the rule concerned. */
  readonly matched: number;
  /** Those to which the fault happened. */
  readonly injected: number;
}

/** What a rule decides by. */
export interface FaultSubject {
  readonly info: RequestInfo;
  readonly query: Pick<Query, 'get'>;
  readonly user: string;
  /** The request is one of the server's own. */
  readonly isOwn: boolean;
}

/** The rules of a cluster, in the order in which they were added. Of several that concern a request the first one counts. */
export class Faults {
  readonly #rules = new Map<string, CountedRule>();
  #last = 0;

  /** Adds a rule. @returns its id @throws FaultRuleError for one that cannot be used, and for too many */
  add(rule: FaultRule): string {
    const read = readRule(rule);
    if (this.#rules.size >= MOST_RULES)
      throw new FaultRuleError(`there are ${MOST_RULES} rules: remove some first`);
    this.#last += 1;
    const id = String(this.#last);
    this.#rules.set(id, new CountedRule(id, read));
    return id;
  }

  /** Removes a rule. @returns whether there was one */
  remove(id: string): boolean {
    return this.#rules.delete(id);
  }

  /** Removes all rules. */
  clear(): void {
    this.#rules.clear();
  }

  list(): FaultState[] {
    return [...this.#rules.values()].map(({ id, rule, matched, injected }) => ({
      id,
      rule,
      matched,
      injected,
    }));
  }

  get isEmpty(): boolean {
    return this.#rules.size === 0;
  }

  /** Whether a fault happens to a call of a webhook. */
  failsWebhook(name: string): boolean {
    for (const rule of this.#rules.values()) if (rule.failsWebhook(name)) return true;
    return false;
  }

  /** The rule whose fault happens to a request. */
  decide(subject: FaultSubject): FaultRule | undefined {
    for (const rule of this.#rules.values()) if (rule.happensTo(subject)) return rule.rule;
    return undefined;
  }
}

class CountedRule implements FaultState {
  matched = 0;
  injected = 0;
  #random: number;

  constructor(
    readonly id: string,
    readonly rule: FaultRule,
  ) {
    this.#random = rule.seed ?? 1;
  }

  happensTo(subject: FaultSubject): boolean {
    return this.rule.webhook === undefined && concerns(this.rule, subject) && this.#happens();
  }

  failsWebhook(name: string): boolean {
    const { webhook } = this.rule;
    return (webhook === '*' || webhook === name) && this.#happens();
  }

  #happens(): boolean {
    const { skip = 0, count = Number.POSITIVE_INFINITY, share = 1 } = this.rule;
    this.matched += 1;
    // Each request takes one number, whatever becomes of it.
    const drawn = this.#next();
    if (this.matched <= skip || this.injected >= count || drawn >= share) return false;
    this.injected += 1;
    return true;
  }

  /** The next of a sequence of numbers from 0 to 1 that the seed decides: mulberry32. */
  #next(): number {
    this.#random = (this.#random + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#random ^ (this.#random >>> 15), 1 | this.#random);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
}

function concerns(rule: FaultRule, subject: FaultSubject): boolean {
  const { info, user, isOwn } = subject;
  const { verb, resource, group, subresource, namespace, name } = info;
  if (!info.isResource || (isOwn && rule.users === undefined)) return false;
  const isListed = (list: readonly string[] | undefined, value: string) => list?.includes(value) !== false;
  return (
    canHappenTo(rule, subject) &&
    isListed(rule.verbs, verb) &&
    isListed(rule.resources, group === '' ? resource : `${resource}.${group}`) &&
    isListed(rule.subresources, subresource) &&
    isListed(rule.namespaces, namespace) &&
    isListed(rule.names, name) &&
    isListed(rule.users, user)
  );
}

/** Whether the fault is one of such requests: of watches, of lists at any version, of those at a version that is named. */
function canHappenTo(rule: FaultRule, { info: { verb }, query }: FaultSubject): boolean {
  const isList = verb === 'list';
  if (rule.endWatch !== undefined || rule.delayEvents !== undefined) return verb === 'watch';
  if (rule.stale !== undefined) return isList && query.get('resourceVersion') === '0';
  if (rule.expire !== undefined)
    return (
      (isList || verb === 'watch') &&
      (!['', '0'].includes(query.get('resourceVersion')) || query.get('continue') !== '')
    );
  return true;
}
