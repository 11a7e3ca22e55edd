import { isSameCondition } from '../model/conditions.ts';
import type { FlowSchema, FlowSchemaCondition } from '../model/generated/flowcontrol-v1.ts';
import { formatTime } from '../model/time.ts';
import type { Resource } from '../reconcile/client.ts';
import type { Controller, ControllerContext } from '../reconcile/controller.ts';
import { API_SERVER } from '../reconcile/identities.ts';
import { controllerQueue } from '../reconcile/work-queue.ts';

const GROUP_VERSION = { group: 'flowcontrol.apiserver.k8s.io', version: 'v1' };
export const FLOW_SCHEMAS: Resource = { ...GROUP_VERSION, resource: 'flowschemas', kind: 'FlowSchema' };
export const PRIORITY_LEVELS: Resource = {
  ...GROUP_VERSION,
  resource: 'prioritylevelconfigurations',
  kind: 'PriorityLevelConfiguration',
};
const FIELD_MANAGER = 'api-priority-and-fairness-config-consumer-v1';

/** Maintains the Dangling condition of flow schemas: whether their priority level exists. */
export function flowSchemaController(parts: ControllerContext): Controller {
  const name = 'flow-schema-status';
  const client = parts.client(API_SERVER);
  const schemas = parts.objects(FLOW_SCHEMAS);
  const levels = parts.objects(PRIORITY_LEVELS);
  const queue = controllerQueue(parts, name, async (key) => {
    const schema = schemas.get(key) as FlowSchema | undefined;
    if (schema === undefined) return 'done';
    const level = levelOf(schema);
    const desired = danglingCondition(level, levels.has(level));
    const current = schema.status?.conditions?.find(({ type }) => type === desired.type);
    if (isSameCondition(current, desired)) return 'done';
    const status = { conditions: [{ ...desired, lastTransitionTime: formatTime(parts.clusterClock.now()) }] };
    await client.apply(
      FLOW_SCHEMAS,
      { metadata: { name: key, uid: schema.metadata?.uid }, status },
      FIELD_MANAGER,
      { subresource: 'status' },
    );
    return 'done';
  });
  schemas.onChange((key) => queue.add(key));
  levels.onChange((key, level, previous) => {
    if (level !== undefined && previous !== undefined) return;
    for (const [schemaKey, { object }] of schemas.entries())
      if (levelOf(object) === key) queue.add(schemaKey);
  });
  return { name, sources: [schemas, levels], queue };
}

const levelOf = ({ spec }: FlowSchema): string => spec?.priorityLevelConfiguration?.name ?? '';

function danglingCondition(level: string, found: boolean): FlowSchemaCondition {
  const reference = `This FlowSchema references the PriorityLevelConfiguration object named ${JSON.stringify(level)}`;
  return found
    ? { type: 'Dangling', status: 'False', reason: 'Found', message: `${reference} and it exists` }
    : {
        type: 'Dangling',
        status: 'True',
        reason: 'NotFound',
        message: `${reference} but there is no such object`,
      };
}
