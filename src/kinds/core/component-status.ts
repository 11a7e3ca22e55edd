import type { ComponentStatus } from '../../model/generated/core-v1.ts';
import { defineResource } from '../builtin-resource.ts';
import { column, NAME, nameOf, table } from '../tables/define.ts';

export const componentStatuses = defineResource({
  group: '',
  versions: [{ name: 'v1', deprecation: { since: '1.19' } }],
  resource: 'componentstatuses',
  kind: 'ComponentStatus',
  shortNames: ['cs'],
  scope: 'Cluster',
  verbs: ['get', 'list'],
  table: table<ComponentStatus>(
    [
      NAME,
      column('Status', 'Whether the component is healthy.'),
      column('Message', 'Message of the health check.'),
      column('Error', 'Error of the health check.'),
    ],
    (object) => {
      const health = object.conditions?.find(({ type }) => type === 'Healthy');
      return [
        nameOf(object),
        health === undefined ? 'Unknown' : health.status === 'True' ? 'Healthy' : 'Unhealthy',
        health?.message ?? '',
        health?.error ?? '',
      ];
    },
  ),
});
