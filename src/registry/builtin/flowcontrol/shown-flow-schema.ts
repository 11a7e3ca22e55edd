import type { FlowSchemaSpec, PolicyRulesWithSubjects, Subject } from '../../../model/generated/flowcontrol-v1.ts';
import { shownStrings } from '../../validation/shown.ts';
import { shownList, shownPointer, shownStruct, shownText } from '../../validation/shown-structs.ts';

const PACKAGE = 'flowcontrol';

const shownSubject = ({ kind, user, group, serviceAccount }: Subject): string =>
  shownStruct(`${PACKAGE}.Subject`, {
    Kind: shownText(kind),
    User: shownPointer(`${PACKAGE}.UserSubject`, user),
    Group: shownPointer(`${PACKAGE}.GroupSubject`, group),
    ServiceAccount: shownPointer(`${PACKAGE}.ServiceAccountSubject`, serviceAccount),
  });

const shownRules = ({ subjects, resourceRules, nonResourceRules }: PolicyRulesWithSubjects): string =>
  shownStruct(`${PACKAGE}.PolicyRulesWithSubjects`, {
    Subjects: shownList(`${PACKAGE}.Subject`, subjects, shownSubject),
    ResourceRules: shownList(`${PACKAGE}.ResourcePolicyRule`, resourceRules, (rule) =>
      shownStruct(`${PACKAGE}.ResourcePolicyRule`, {
        Verbs: shownStrings(rule.verbs),
        APIGroups: shownStrings(rule.apiGroups),
        Resources: shownStrings(rule.resources),
        ClusterScope: String(rule.clusterScope ?? false),
        Namespaces: shownStrings(rule.namespaces),
      }),
    ),
    NonResourceRules: shownList(`${PACKAGE}.NonResourcePolicyRule`, nonResourceRules, (rule) =>
      shownStruct(`${PACKAGE}.NonResourcePolicyRule`, { Verbs: shownStrings(rule.verbs), NonResourceURLs: shownStrings(rule.nonResourceURLs) }),
    ),
  });

/** The specification as the reference prints it in an error. */
export const shownFlowSchemaSpec = ({ priorityLevelConfiguration = {}, matchingPrecedence = 0, distinguisherMethod, rules }: FlowSchemaSpec): string =>
  shownStruct(`${PACKAGE}.FlowSchemaSpec`, {
    PriorityLevelConfiguration: shownStruct(`${PACKAGE}.PriorityLevelConfigurationReference`, { Name: shownText(priorityLevelConfiguration.name) }),
    MatchingPrecedence: String(matchingPrecedence),
    DistinguisherMethod: shownPointer(`${PACKAGE}.FlowDistinguisherMethod`, distinguisherMethod),
    Rules: shownList(`${PACKAGE}.PolicyRulesWithSubjects`, rules, shownRules),
  });
