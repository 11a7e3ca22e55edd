import type { FieldOwnership } from './environment.ts';

/** Without server-side apply nobody's ownership is recorded: entries that clients send are dropped, stored ones are kept. */
export const noOwnership: FieldOwnership = {
  created: (_context, object) => { delete object.metadata!.managedFields; },
  updated: (_context, object, old) => {
    if (old.metadata!.managedFields === undefined) delete object.metadata!.managedFields;
    else object.metadata!.managedFields = old.metadata!.managedFields;
  },
};
