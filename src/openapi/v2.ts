import type { Content, Operation, Parameter, Path, Schema } from './document.ts';
import { byName, infoOf, SECURITY, UNAUTHORIZED } from './document.ts';
import { DELETE_OPTIONS, PATCH } from './resource-paths.ts';
import type { SchemaWriter } from './schemas.ts';
import { actionOf, PHRASES } from './v3.ts';

/** A part of a Swagger 2.0 document. Parts with the same name of a member have the same content for it. */
export interface PartV2 {
  readonly paths: Readonly<Record<string, Schema>>;
  /** Parameters that the paths refer to. */
  readonly parameters: Readonly<Record<string, Schema>>;
}

/** The members of a document that do not depend on its paths, in their order around them. */
export const headV2 = (minor: string): Schema => ({ swagger: '2.0', info: infoOf(minor) });
export const TAIL_V2: Schema = { securityDefinitions: SECURITY, security: [{ BearerToken: [] }] };

/**
 * Writes paths with the parameters that they share with others.
 * @param pause awaited between paths, to yield to the event loop
 */
export async function partV2(
  paths: readonly Path[],
  writer: SchemaWriter,
  pause: () => Promise<void>,
): Promise<PartV2> {
  const shared = new SharedParameters();
  const items: [string, Schema][] = [];
  for (const path of paths) {
    items.push([path.path, pathItem(path, writer, shared)]);
    await pause();
  }
  return { paths: Object.fromEntries(items), parameters: Object.fromEntries(shared.parameters) };
}

/** Shared parameters by the name that operations reference. */
class SharedParameters {
  readonly parameters = new Map<string, Schema>();

  /** @returns a reference to the parameter */
  reference(name: string, parameter: Schema): Schema {
    this.parameters.set(name, parameter);
    return { $ref: `#/parameters/${name}` };
  }
}

function pathItem({ operations, parameters }: Path, writer: SchemaWriter, shared: SharedParameters): Schema {
  return {
    ...Object.fromEntries(
      operations.map((operation) => [operation.method, operationV2(operation, writer, shared)]),
    ),
    ...(parameters.length === 0
      ? {}
      : { parameters: parameters.map((parameter) => parameterV2(parameter, shared)) }),
  };
}

function parameterV2(
  { name, in: where, type, description, shared: sharedName }: Parameter,
  shared: SharedParameters,
): Schema {
  const written = {
    uniqueItems: true,
    type,
    description,
    name,
    in: where,
    ...(where === 'path' ? { required: true } : {}),
  };
  return sharedName === undefined ? written : shared.reference(sharedName, written);
}

/** Bodies that many operations share, by schema. */
const SHARED_BODIES: Readonly<Record<string, string>> = {
  [PATCH]: 'body-78PwaGsr',
  [DELETE_OPTIONS]: 'body-2Y1dVQaQ',
};

function bodyV2(
  { schema, required }: NonNullable<Operation['body']>,
  writer: SchemaWriter,
  shared: SharedParameters,
): Schema {
  const written = {
    name: 'body',
    in: 'body',
    ...(required ? { required: true } : {}),
    schema: writer.reference(schema),
  };
  const name = SHARED_BODIES[schema];
  return name === undefined ? written : shared.reference(name, written);
}

function operationV2(operation: Operation, writer: SchemaWriter, shared: SharedParameters): Schema {
  const { tag, id, description, body, consumes, produces, responses, action, kind } = operation;
  const parameters = byName(operation.parameters).map((parameter) => parameterV2(parameter, shared));
  const written = body === undefined ? [] : [bodyV2(body, writer, shared)];
  const schema = (what: Content) => (what === 'text' ? { type: 'string' } : writer.reference(what.schema));
  return {
    description,
    ...(consumes === undefined ? {} : { consumes }),
    produces,
    schemes: ['https'],
    tags: [tag],
    operationId: id,
    ...(written.length + parameters.length === 0 ? {} : { parameters: [...written, ...parameters] }),
    responses: {
      ...Object.fromEntries(
        responses.map(([status, what]) => [
          String(status),
          { description: PHRASES[status]!, schema: schema(what) },
        ]),
      ),
      401: { description: UNAUTHORIZED },
    },
    ...actionOf(action, kind),
  };
}
