import type { Content, Operation, Parameter, Path, Schema } from './document.ts';
import { CUSTOM_INFO, infoOf, SECURITY, UNAUTHORIZED } from './document.ts';
import type { SchemaWriter } from './schemas.ts';

/**
 * Writes paths of a document, in order.
 * @param pause awaited between paths, to yield to the event loop
 */
export async function pathsV3(
  paths: readonly Path[],
  writer: SchemaWriter,
  pause: () => Promise<void>,
): Promise<Record<string, Schema>> {
  const items: [string, Schema][] = [];
  for (const path of sorted(paths)) {
    items.push([path.path, pathItem(path, writer)]);
    await pause();
  }
  return Object.fromEntries(items);
}

/**
 * A document of version 3.0.
 * @param schemas by name; omitted when empty
 * @param custom whether it describes custom resources
 * @param minor the release, for example `1.32`
 */
export function documentV3(
  paths: Record<string, Schema>,
  schemas: Record<string, Schema>,
  custom: boolean,
  minor: string,
): Schema {
  return {
    openapi: '3.0.0',
    info: custom ? CUSTOM_INFO : infoOf(minor),
    paths,
    components: {
      ...(Object.keys(schemas).length === 0 ? {} : { schemas }),
      ...(custom ? {} : { securitySchemes: SECURITY }),
    },
  };
}

const sorted = (paths: readonly Path[]): Path[] => [...paths].sort((a, b) => (a.path < b.path ? -1 : 1));

function pathItem({ operations, parameters }: Path, writer: SchemaWriter): Schema {
  return {
    ...Object.fromEntries(operations.map((operation) => [operation.method, operationV3(operation, writer)])),
    ...(parameters.length === 0 ? {} : { parameters: parameters.map(parameterV3) }),
  };
}

function parameterV3({ name, in: where, type, description }: Parameter): Schema {
  return {
    name,
    in: where,
    description,
    ...(where === 'path' ? { required: true } : {}),
    schema: { type, uniqueItems: true },
  };
}

function operationV3(operation: Operation, writer: SchemaWriter): Schema {
  const { tag, id, description, parameters, body, consumes, produces, responses, action, kind } = operation;
  const content = (types: readonly string[], what: Content) => {
    const schema = what === 'text' ? { type: 'string' } : writer.reference(what.schema);
    return Object.fromEntries([...types].sort().map((type) => [type, { schema }]));
  };
  return {
    tags: [tag],
    description,
    operationId: id,
    ...(parameters.length === 0 ? {} : { parameters: parameters.map(parameterV3) }),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            content: content(consumes ?? ['*/*'], body),
            ...(body.required ? { required: true } : {}),
          },
        }),
    responses: {
      ...Object.fromEntries(
        responses.map(([status, what]) => [
          String(status),
          { description: PHRASES[status]!, content: content(produces, what) },
        ]),
      ),
      401: { description: UNAUTHORIZED },
    },
    ...actionOf(action, kind),
  };
}

export const PHRASES: Readonly<Record<number, string>> = { 200: 'OK', 201: 'Created', 202: 'Accepted' };

export function actionOf(action: string | undefined, kind: Operation['kind']): Schema {
  return action === undefined
    ? {}
    : { 'x-kubernetes-action': action, 'x-kubernetes-group-version-kind': kind };
}
