import type {
  CustomResourceDefinition,
  CustomResourceDefinitionStatus,
} from '../../../model/generated/apiextensions-v1.ts';
import type { KubernetesObject } from '../../../model/object.ts';
import { update } from '../../../operations/update.ts';
import type { RecordView } from '../../../reader/record-view.ts';
import type { ServedResource } from '../../../resources/served-resource.ts';
import { ApiError } from '../../../status/index.ts';
import type { LoopContext } from './control-loops.ts';
import { type Definition, summarize } from './definition.ts';

/** The changes that a control loop makes to a definition; absent members stay as they are. */
export interface DefinitionChange {
  readonly status?: CustomResourceDefinitionStatus;
  readonly finalizers?: readonly string[];
}

/** Writes definitions for the control loops, as updates of their status. */
export interface DefinitionWriter {
  /**
   * Computes a change from the stored definition and writes it; repeats that after a conflict. Does nothing
   * if the definition is gone or `change` returns undefined.
   */
  write(name: string, change: (stored: Definition) => DefinitionChange | undefined): Promise<void>;
}

export function definitionWriter(
  { operation }: LoopContext,
  resource: ServedResource,
  definitions: RecordView<Definition>,
): DefinitionWriter {
  return {
    async write(name, change) {
      try {
        const { record } = await update(operation(resource, 'status'), {
          name,
          createsWhenMissing: false,
          unconditional: true,
          // The parts that the result shares with the stored object are not changed by an update of status.
          leavesCurrent: true,
          transform: (current) => applied(current as CustomResourceDefinition, change),
        });
        definitions.observe(record);
      } catch (error) {
        if (!(error instanceof ApiError && error.code === 404)) throw error;
      }
    },
  };
}

function applied(
  definition: CustomResourceDefinition,
  change: (stored: Definition) => DefinitionChange | undefined,
): KubernetesObject {
  const { status, finalizers } = change(summarize(definition)) ?? {};
  return {
    ...definition,
    ...(status && { status }),
    metadata: { ...definition.metadata, ...(finalizers && { finalizers: [...finalizers] }) },
  };
}
