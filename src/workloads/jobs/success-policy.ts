import type { Job } from '../../model/generated/batch-v1.ts';
import { IndexSet } from './intervals.ts';
import { completionsOf } from './job.ts';

/** Why an indexed Job has succeeded by its success policy; undefined if it has not. */
export function policySuccess(job: Job, succeeded: IndexSet): string | undefined {
  if (succeeded.size === 0) return undefined;
  const index = (job.spec?.successPolicy?.rules ?? []).findIndex(({ succeededIndexes, succeededCount }) => {
    if (succeededIndexes === undefined)
      return succeededCount !== undefined && succeeded.size >= succeededCount;
    const required = IndexSet.parse(succeededIndexes, completionsOf(job));
    return required.size > 0 && required.common(succeeded) >= (succeededCount ?? required.size);
  });
  return index < 0 ? undefined : `Matched rules at index ${index}`;
}
