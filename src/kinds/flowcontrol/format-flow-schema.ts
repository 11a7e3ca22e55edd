import type {
  FlowSchemaSpec,
  PolicyRulesWithSubjects,
  Subject,
} from '../../model/generated/flowcontrol-v1.ts';
import { formatGoList, formatGoPointer, formatGoStruct, formatGoText } from '../validation/format-struct.ts';
import { formatGoStrings } from '../validation/format-value.ts';

const PACKAGE = 'flowcontrol';

const formatSubject = ({ kind, user, group, serviceAccount }: Subject): string =>
  formatGoStruct(`${PACKAGE}.Subject`, {
    Kind: formatGoText(kind),
    User: formatGoPointer(`${PACKAGE}.UserSubject`, user),
    Group: formatGoPointer(`${PACKAGE}.GroupSubject`, group),
    ServiceAccount: formatGoPointer(`${PACKAGE}.ServiceAccountSubject`, serviceAccount),
  });

const formatRules = ({ subjects, resourceRules, nonResourceRules }: PolicyRulesWithSubjects): string =>
  formatGoStruct(`${PACKAGE}.PolicyRulesWithSubjects`, {
    Subjects: formatGoList(`${PACKAGE}.Subject`, subjects, formatSubject),
    ResourceRules: formatGoList(`${PACKAGE}.ResourcePolicyRule`, resourceRules, (rule) =>
      formatGoStruct(`${PACKAGE}.ResourcePolicyRule`, {
        Verbs: formatGoStrings(rule.verbs),
        APIGroups: formatGoStrings(rule.apiGroups),
        Resources: formatGoStrings(rule.resources),
        ClusterScope: String(rule.clusterScope ?? false),
        Namespaces: formatGoStrings(rule.namespaces),
      }),
    ),
    NonResourceRules: formatGoList(`${PACKAGE}.NonResourcePolicyRule`, nonResourceRules, (rule) =>
      formatGoStruct(`${PACKAGE}.NonResourcePolicyRule`, {
        Verbs: formatGoStrings(rule.verbs),
        NonResourceURLs: formatGoStrings(rule.nonResourceURLs),
      }),
    ),
  });

/** Formats a spec in errors like Go's `%#v`. */
export const formatGoFlowSchemaSpec = ({
  priorityLevelConfiguration = {},
  matchingPrecedence = 0,
  distinguisherMethod,
  rules,
}: FlowSchemaSpec): string =>
  formatGoStruct(`${PACKAGE}.FlowSchemaSpec`, {
    PriorityLevelConfiguration: formatGoStruct(`${PACKAGE}.PriorityLevelConfigurationReference`, {
      Name: formatGoText(priorityLevelConfiguration.name),
    }),
    MatchingPrecedence: String(matchingPrecedence),
    DistinguisherMethod: formatGoPointer(`${PACKAGE}.FlowDistinguisherMethod`, distinguisherMethod),
    Rules: formatGoList(`${PACKAGE}.PolicyRulesWithSubjects`, rules, formatRules),
  });
