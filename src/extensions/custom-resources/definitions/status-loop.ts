import { formatTime } from '../../../model/time.ts';
import type { RecordView } from '../../../reader/record-view.ts';
import { controllerQueue, type WorkQueue } from '../../../reconcile/work-queue.ts';
import type { LoopContext } from './control-loops.ts';
import type { Definition } from './definition.ts';
import { type BuiltInNames, NameIndex } from './name-index.ts';
import { freesNames } from './names.ts';
import { definitionStatus } from './status.ts';
import type { DefinitionWriter } from './write-status.ts';

/**
 * Maintains accepted names and conditions of definitions. One definition is processed at a time, so that two
 * can't get the same name. When names become free, the definitions of the group that wait for names are
 * processed again.
 */
export function statusLoop(
  context: LoopContext,
  definitions: RecordView<Definition>,
  writer: DefinitionWriter,
  builtIn: BuiltInNames,
): WorkQueue {
  const index = new NameIndex(builtIn);
  const statusOf = (definition: Definition) =>
    definitionStatus(definition, index.used(definition.group), formatTime(context.clusterClock.now()));
  const queue = controllerQueue(
    context,
    'crd_naming_condition_controller',
    async (name) => {
      const definition = definitions.get(name);
      if (definition === undefined || statusOf(definition) === definition.status) return 'done';
      await writer.write(name, (stored) => {
        const status = statusOf(stored);
        return status === stored.status ? undefined : { status };
      });
      return 'done';
    },
    1,
  );
  definitions.onChange((name, current, previous) => {
    index.change(name, current, previous);
    if (current !== undefined) queue.add(name);
    if (previous !== undefined && freesNames(current?.status.acceptedNames, previous.status.acceptedNames))
      for (const other of index.waiting(previous.group)) if (other !== name) queue.add(other);
  });
  return queue;
}
