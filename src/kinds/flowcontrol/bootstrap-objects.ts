import type {
  PolicyRulesWithSubjects,
  ResourcePolicyRule,
  Subject,
} from '../../model/generated/flowcontrol-v1.ts';
import type { Life } from '../../model/life.ts';
import { MANDATORY_FLOW_CONTROL } from '../../model/mandatory-objects.ts';
import type { KubernetesObject } from '../../model/object.ts';
import type { RuleContext } from '../../model/rule-context.ts';

const VERSION = 'flowcontrol.apiserver.k8s.io/v1';
/** Marks objects whose spec the server resets to its defaults. */
const AUTOUPDATE_ANNOTATION = 'apf.kubernetes.io/autoupdate-spec';

const metadata = (name: string): KubernetesObject['metadata'] => ({
  name,
  generation: 1,
  annotations: { [AUTOUPDATE_ANNOTATION]: 'true' },
});

/**
 * [name, nominal shares, lendable percent, queues, hand size]; levels without queues reject excess requests.
 */
const LEVELS: readonly (readonly [string, number, number, number?, number?])[] = [
  ['catch-all', 5, 0],
  ['global-default', 20, 50, 128, 6],
  ['leader-election', 10, 0, 16, 4],
  ['node-high', 40, 25, 64, 6],
  ['system', 30, 33, 64, 6],
  ['workload-high', 40, 50, 128, 6],
  ['workload-low', 100, 90, 128, 6],
];
const QUEUE_LENGTH = 50;

export const bootstrapPriorityLevels = (): KubernetesObject[] => [
  level('exempt', { type: 'Exempt', exempt: { nominalConcurrencyShares: 0, lendablePercent: 0 } }),
  ...LEVELS.map(([name, shares, lendablePercent, queues, handSize]) => {
    const limitResponse =
      queues === undefined
        ? { type: 'Reject' }
        : { type: 'Queue', queuing: { queues, handSize, queueLengthLimit: QUEUE_LENGTH } };
    return level(name, {
      type: 'Limited',
      limited: { nominalConcurrencyShares: shares, limitResponse, lendablePercent },
    });
  }),
];

const level = (name: string, spec: object): KubernetesObject => ({
  apiVersion: VERSION,
  kind: 'PriorityLevelConfiguration',
  metadata: metadata(name),
  spec,
  status: {},
});

const users = (...names: string[]): Subject[] => names.map((name) => ({ kind: 'User', user: { name } }));
const groups = (...names: string[]): Subject[] => names.map((name) => ({ kind: 'Group', group: { name } }));
const systemAccounts = (...names: string[]): Subject[] =>
  names.map((name) => ({ kind: 'ServiceAccount', serviceAccount: { namespace: 'kube-system', name } }));

const ALL = ['*'];
const resources = (
  verbs: string[],
  apiGroup: string,
  names: string[],
  clusterScope = false,
): ResourcePolicyRule => ({
  verbs,
  apiGroups: [apiGroup],
  resources: names,
  ...(clusterScope ? { clusterScope } : {}),
  namespaces: ALL,
});
const everyResource = resources(ALL, '*', ALL, true);
const everyPath = { verbs: ALL, nonResourceURLs: ALL };

const everything = (subjects: Subject[]): PolicyRulesWithSubjects => ({
  subjects,
  resourceRules: [everyResource],
  nonResourceRules: [everyPath],
});

const EVERYONE = groups('system:unauthenticated', 'system:authenticated');
const LOCK_VERBS = ['get', 'create', 'update'];
const MANAGER = 'system:kube-controller-manager';
const SCHEDULER = 'system:kube-scheduler';

/** [name, priority level, precedence, distinguisher, rules, releases] */
const SCHEMAS: readonly (readonly [
  string,
  string,
  number,
  'ByUser' | 'ByNamespace' | undefined,
  PolicyRulesWithSubjects,
  Life?,
])[] = [
  ['exempt', 'exempt', 1, undefined, everything(groups('system:masters'))],
  [
    'probes',
    'exempt',
    2,
    undefined,
    {
      subjects: EVERYONE,
      nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/healthz', '/readyz', '/livez'] }],
    },
  ],
  [
    'system-leader-election',
    'leader-election',
    100,
    'ByUser',
    {
      subjects: [...users(MANAGER, SCHEDULER), ...systemAccounts('*')],
      resourceRules: [resources(LOCK_VERBS, 'coordination.k8s.io', ['leases'])],
    },
  ],
  [
    'endpoint-controller',
    'workload-high',
    150,
    'ByUser',
    {
      subjects: [
        ...users(MANAGER),
        ...systemAccounts('endpoint-controller', 'endpointslicemirroring-controller'),
      ],
      resourceRules: [resources(LOCK_VERBS, '', ['endpoints'])],
    },
    { until: '1.34' },
  ],
  [
    'workload-leader-election',
    'leader-election',
    200,
    'ByUser',
    {
      subjects: systemAccounts('*'),
      resourceRules: [
        resources(LOCK_VERBS, '', ['endpoints', 'configmaps']),
        resources(LOCK_VERBS, 'coordination.k8s.io', ['leases']),
      ],
    },
    { until: '1.34' },
  ],
  [
    'system-node-high',
    'node-high',
    400,
    'ByUser',
    {
      subjects: groups('system:nodes'),
      resourceRules: [
        resources(ALL, '', ['nodes', 'nodes/status'], true),
        resources(ALL, 'coordination.k8s.io', ['leases']),
      ],
    },
  ],
  ['system-nodes', 'system', 500, 'ByUser', everything(groups('system:nodes'))],
  ['kube-controller-manager', 'workload-high', 800, 'ByNamespace', everything(users(MANAGER))],
  ['kube-scheduler', 'workload-high', 800, 'ByNamespace', everything(users(SCHEDULER))],
  ['kube-system-service-accounts', 'workload-high', 900, 'ByNamespace', everything(systemAccounts('*'))],
  ['service-accounts', 'workload-low', 9000, 'ByUser', everything(groups('system:serviceaccounts'))],
  ['global-default', 'global-default', 9900, 'ByUser', everything(EVERYONE)],
  ['catch-all', 'catch-all', 10000, 'ByUser', everything(EVERYONE)],
];

/** The flow schemas of a new server of a release. */
export const bootstrapFlowSchemas = ({ has }: Pick<RuleContext, 'has'>): KubernetesObject[] =>
  SCHEMAS.filter(([, , , , , life = {}]) => has(life)).map(flowSchema);

/** The flow schema of this name that every server of every release has; undefined for another name. */
export const mandatoryFlowSchema = (name: string): KubernetesObject | undefined =>
  MANDATORY_FLOW_CONTROL.has(name) ? SCHEMAS.filter(([one]) => one === name).map(flowSchema)[0] : undefined;

function flowSchema([
  name,
  levelName,
  matchingPrecedence,
  distinguisher,
  rules,
]: (typeof SCHEMAS)[number]): KubernetesObject {
  return {
    apiVersion: VERSION,
    kind: 'FlowSchema',
    metadata: metadata(name),
    spec: {
      priorityLevelConfiguration: { name: levelName },
      matchingPrecedence,
      ...(distinguisher === undefined ? {} : { distinguisherMethod: { type: distinguisher } }),
      rules: [structuredClone(rules)],
    },
    status: {},
  };
}
