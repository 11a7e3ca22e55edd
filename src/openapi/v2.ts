import type { Content, Operation, Parameter, Path, Schema } from './document.ts';
import { byName, INFO, SECURITY, UNAUTHORIZED } from './document.ts';
import type { SchemaWriter } from './schemas.ts';
import { actionOf, PHRASES } from './v3.ts';

/**
 * A Swagger 2.0 document, written in parts. Parameters that many operations share are listed once, at its
 * end.
 */
export class DocumentV2 {
  readonly #writer: SchemaWriter;
  readonly #shared = new SharedParameters();
  readonly #items: [string, Schema][] = [];

  constructor(writer: SchemaWriter) {
    this.#writer = writer;
  }

  add(paths: readonly Path[]): void {
    for (const path of paths) this.#items.push([path.path, pathItem(path, this.#writer, this.#shared)]);
  }

  finish(definitions: Record<string, Schema>): Schema {
    return {
      swagger: '2.0',
      info: INFO,
      paths: Object.fromEntries(this.#items.sort(([a], [b]) => (a < b ? -1 : 1))),
      definitions,
      parameters: this.#shared.all(),
      securityDefinitions: SECURITY,
      security: [{ BearerToken: [] }],
    };
  }
}

/** Shared parameters by the name that operations reference. */
class SharedParameters {
  readonly #names = new Map<string, string>();
  readonly #parameters: [string, Schema][] = [];

  /** @returns a reference to the parameter */
  reference(parameter: Schema): Schema {
    const text = JSON.stringify(parameter);
    let name = this.#names.get(text);
    if (name === undefined) {
      const same = this.#parameters.filter(([, { name: other }]) => other === parameter['name']).length;
      name = same === 0 ? String(parameter['name']) : `${parameter['name']}-${same + 1}`;
      this.#names.set(text, name);
      this.#parameters.push([name, parameter]);
    }
    return { $ref: `#/parameters/${name}` };
  }

  all(): Record<string, Schema> {
    return Object.fromEntries(this.#parameters.sort(([a], [b]) => (a < b ? -1 : 1)));
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

/** Descriptions of object names differ by kind, so these parameters are not shared. */
function parameterV2({ name, in: where, type, description }: Parameter, shared: SharedParameters): Schema {
  const written = {
    uniqueItems: true,
    type,
    description,
    name,
    in: where,
    ...(where === 'path' ? { required: true } : {}),
  };
  return name === 'name' ? written : shared.reference(written);
}

function operationV2(operation: Operation, writer: SchemaWriter, shared: SharedParameters): Schema {
  const { tag, id, description, body, consumes, produces, responses, action, kind } = operation;
  const parameters = byName(operation.parameters).map((parameter) => parameterV2(parameter, shared));
  const written =
    body === undefined
      ? []
      : [
          {
            name: 'body',
            in: 'body',
            ...(body.required ? { required: true } : {}),
            schema: writer.reference(body.schema),
          },
        ];
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
