import { BOOL, STRING } from '../types.ts';
import { declare, type Library, member } from './library.ts';
import { AUTHORIZER, DECISION, GROUP_CHECK, PATH_CHECK, RESOURCE_CHECK } from './opaque-types.ts';

/** Authorization checks. */
export const authorizerLibrary: Library = {
  name: 'authorizer',
  since: 27,
  functions: [
    declare('allowed', member('decision_allowed', DECISION, [], BOOL)),
    declare(
      'check',
      member('pathcheck_check', PATH_CHECK, [STRING], DECISION),
      member('resourcecheck_check', RESOURCE_CHECK, [STRING], DECISION),
    ),
    declare('errored', member('decision_errored', DECISION, [], BOOL)),
    declare('error', member('decision_error', DECISION, [], STRING)),
    declare('group', member('authorizer_group', AUTHORIZER, [STRING], GROUP_CHECK)),
    declare('namespace', member('resourcecheck_namespace', RESOURCE_CHECK, [STRING], RESOURCE_CHECK)),
    declare('name', member('resourcecheck_name', RESOURCE_CHECK, [STRING], RESOURCE_CHECK)),
    declare('path', member('authorizer_path', AUTHORIZER, [STRING], PATH_CHECK)),
    declare('reason', member('decision_reason', DECISION, [], STRING)),
    declare('resource', member('groupcheck_resource', GROUP_CHECK, [STRING], RESOURCE_CHECK)),
    declare('serviceAccount', member('authorizer_serviceaccount', AUTHORIZER, [STRING, STRING], AUTHORIZER)),
    declare('subresource', member('resourcecheck_subresource', RESOURCE_CHECK, [STRING], RESOURCE_CHECK)),
  ],
};
