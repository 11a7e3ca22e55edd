import type { Field, MessageType } from '../../schema/message.ts';
import type { Descriptions } from '../schemas.ts';
import { ADMISSIONREGISTRATION } from './admissionregistration.ts';
import { APIEXTENSIONS } from './apiextensions.ts';
import { APIREGISTRATION } from './apiregistration.ts';
import { APPS } from './apps.ts';
import { AUTHENTICATION } from './authentication.ts';
import { AUTHORIZATION } from './authorization.ts';
import { AUTOSCALING } from './autoscaling.ts';
import { BATCH } from './batch.ts';
import { CERTIFICATES } from './certificates.ts';
import { COMMON, CONDITION } from './common.ts';
import { COORDINATION } from './coordination.ts';
import { CORE } from './core.ts';
import { DISCOVERY } from './discovery.ts';
import { EVENTS } from './events.ts';
import { FLOWCONTROL } from './flowcontrol.ts';
import { INTERNAL } from './internal.ts';
import { META } from './meta.ts';
import { NETWORKING } from './networking.ts';
import { NODE } from './node.ts';
import { NODES } from './nodes.ts';
import { PERSISTENT_VOLUMES } from './persistent-volumes.ts';
import { POD_CONTAINERS } from './pod-containers.ts';
import { POD_SCHEDULING } from './pod-scheduling.ts';
import { POD_SECURITY } from './pod-security.ts';
import { POD_STATUS } from './pod-status.ts';
import { PODS } from './pods.ts';
import { POLICY } from './policy.ts';
import { RBAC } from './rbac.ts';
import { RESOURCE } from './resource.ts';
import { RESOURCE_SLICES } from './resource-slices.ts';
import { SCHEDULING } from './scheduling.ts';
import { SERVICES } from './services.ts';
import { STORAGE } from './storage.ts';
import { STORAGEMIGRATION } from './storagemigration.ts';
import { VOLUME_SOURCES } from './volume-sources.ts';
import { VOLUMES } from './volumes.ts';

/**
 * Texts of types (`Lease`) and fields (`Lease.spec`). A type has its own name, or `family.Type` where several
 * families use the name.
 */
export type DescriptionTexts = Readonly<Record<string, string>>;

/** The texts of all types, by API group or topic. Each type is in one of them. */
export const TEXTS: readonly DescriptionTexts[] = [
  ADMISSIONREGISTRATION,
  APIEXTENSIONS,
  APIREGISTRATION,
  APPS,
  AUTHENTICATION,
  AUTHORIZATION,
  AUTOSCALING,
  BATCH,
  CERTIFICATES,
  COORDINATION,
  CORE,
  DISCOVERY,
  EVENTS,
  FLOWCONTROL,
  INTERNAL,
  META,
  NETWORKING,
  NODE,
  NODES,
  PERSISTENT_VOLUMES,
  POD_CONTAINERS,
  POD_SCHEDULING,
  POD_SECURITY,
  POD_STATUS,
  PODS,
  POLICY,
  RBAC,
  RESOURCE,
  RESOURCE_SLICES,
  SCHEDULING,
  SERVICES,
  STORAGE,
  STORAGEMIGRATION,
  VOLUME_SOURCES,
  VOLUMES,
];

/** Creates the descriptions of built-in types and fields. */
export function createDescriptions(): Descriptions {
  const texts = new Map(TEXTS.flatMap((one) => Object.entries(one)));
  return {
    ofType({ name, shortName, kind }: MessageType): string | undefined {
      const own = texts.get(name) ?? texts.get(shortName);
      if (own !== undefined || kind === undefined) return own;
      return kind.endsWith('List') ? `List of ${kind.slice(0, -4)} objects.` : undefined;
    },
    ofField({ name, shortName, kind }: MessageType, field: Field): string | undefined {
      const own = texts.get(`${name}.${field.name}`) ?? texts.get(`${shortName}.${field.name}`);
      if (own !== undefined) return own;
      if (kind?.endsWith('List') === true && field.name === 'items') return 'Objects of the list.';
      return (
        (shortName.endsWith('Condition') ? CONDITION.get(field.name) : undefined) ?? COMMON.get(field.name)
      );
    },
  };
}
