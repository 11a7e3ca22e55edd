import type { LimitedResource } from '../../../admission/plugin-configuration.ts';
import { aggregate } from '../../../errors/aggregate.ts';
import { ConfigurationError } from '../../../errors/configuration-error.ts';
import type { Configuration } from '../../../model/generated/resourcequotaconfig-v1.ts';
import { internalTypes } from '../../../model/internal-types.ts';
import { formatFieldError, required } from '../../../status/field-error.ts';
import { type DocumentKind, readDocument } from '../document.ts';

const KINDS: readonly DocumentKind[] = [
  {
    kind: 'ResourceQuotaConfiguration',
    versions: {
      'apiserver.config.k8s.io/v1': () => internalTypes.type('resourcequotaconfig_v1.Configuration'),
    },
  },
  {
    kind: 'Configuration',
    versions: Object.fromEntries(
      ['v1beta1', 'v1alpha1'].map((version) => [
        `resourcequota.admission.k8s.io/${version}`,
        () => internalTypes.type(`resourcequotaconfig_${version}.Configuration`),
      ]),
    ),
  },
];

/** Parses the document of ResourceQuota. @throws ConfigurationError */
export function parseLimitedResources(text: string): readonly LimitedResource[] {
  const { limitedResources = [] } = readDocument<Configuration>(text, KINDS).content;
  const problems = limitedResources.flatMap(({ resource = '' }, index) =>
    resource === '' ? [required(`limitedResources[${index}].resource`)] : [],
  );
  if (problems.length > 0) throw new ConfigurationError(aggregate(problems.map(formatFieldError)));
  return limitedResources.map(
    ({ apiGroup: group = '', resource = '', matchContains = [], matchScopes = [] }) => ({
      group,
      resource,
      matchContains,
      matchScopes: matchScopes.map(({ scopeName = '', operator = '', values = [] }) => ({
        scopeName,
        operator,
        values,
      })),
    }),
  );
}
