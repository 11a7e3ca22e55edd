import type { CustomResourceDefinitionVersion } from '../../model/generated/apiextensions-v1.ts';
import { hoistSharedMembers, lowerSharedMembers, type SharedMembers } from './hoisted-spec.ts';

/**
 * Definitions are stored in the form of v1beta1: members that all versions share are at the top level, column
 * paths are spelled `JSONPath`, and the settings of a conversion webhook are inlined in the conversion. Both
 * functions work on plain JSON and do not change their argument.
 */
type Plain = Record<string, unknown>;

interface ServedSpec extends Plain {
  versions?: CustomResourceDefinitionVersion[];
  conversion?: {
    strategy?: string;
    webhook?: { clientConfig?: unknown; conversionReviewVersions?: unknown };
  };
  preserveUnknownFields?: boolean;
}

interface StoredSpec extends Plain, SharedMembers {
  version?: string;
  versions?: CustomResourceDefinitionVersion[];
  conversion?: { strategy?: string; webhookClientConfig?: unknown; conversionReviewVersions?: unknown };
  preserveUnknownFields?: boolean;
}

interface Column extends Plain {
  jsonPath?: string;
  JSONPath?: string;
}

const defined = (members: Plain): Plain =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));

function renameColumns(holder: Plain, rename: (column: Column) => Column): Plain {
  const columns = holder.additionalPrinterColumns as Column[] | undefined | null;
  return Array.isArray(columns) ? { ...holder, additionalPrinterColumns: columns.map(rename) } : holder;
}

const toStoredColumn = ({ jsonPath = '', ...column }: Column): Column => ({ ...column, JSONPath: jsonPath });
const toServedColumn = ({ JSONPath = '', ...column }: Column): Column => ({ ...column, jsonPath: JSONPath });

/** Converts from v1. */
export function toStoredDefinition(definition: Plain): Plain {
  const {
    versions: served,
    conversion,
    preserveUnknownFields = false,
    ...spec
  } = (definition.spec ?? {}) as ServedSpec;
  const { versions, ...shared } = hoistSharedMembers({ versions: served });
  const stored = renameColumns({ ...spec, ...shared }, toStoredColumn);
  return {
    ...definition,
    spec: defined({
      ...stored,
      version: versions[0]?.name,
      versions: versions.map((version) => renameColumns(version as Plain, toStoredColumn)),
      conversion:
        conversion &&
        defined({
          strategy: conversion.strategy,
          webhookClientConfig: conversion.webhook?.clientConfig,
          conversionReviewVersions: conversion.webhook?.conversionReviewVersions,
        }),
      preserveUnknownFields,
    }),
  };
}

/** Converts to v1. Old definitions may have one version in the top-level name only. */
export function toServedDefinition(definition: Plain): Plain {
  const {
    version,
    versions,
    validation,
    subresources,
    additionalPrinterColumns,
    selectableFields,
    conversion,
    ...spec
  } = (definition.spec ?? {}) as StoredSpec;
  const ownVersions = versions?.length
    ? versions
    : version === undefined
      ? []
      : [{ name: version, served: true, storage: true }];
  const { webhookClientConfig, conversionReviewVersions, strategy } = conversion ?? {};
  const completeVersions = lowerSharedMembers(
    ownVersions.map((one) => renameColumns(one as Plain, toServedColumn) as CustomResourceDefinitionVersion),
    {
      validation,
      subresources,
      selectableFields,
      ...(renameColumns({ additionalPrinterColumns }, toServedColumn) as SharedMembers),
    },
  );
  const hasWebhook = webhookClientConfig !== undefined || conversionReviewVersions !== undefined;
  return {
    ...definition,
    spec: defined({
      ...spec,
      versions: completeVersions,
      conversion:
        conversion &&
        defined({
          strategy,
          webhook: hasWebhook
            ? defined({ clientConfig: webhookClientConfig, conversionReviewVersions })
            : undefined,
        }),
    }),
  };
}
