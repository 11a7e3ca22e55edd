import { Structure, type ValueSchema } from '../../../../src/schema/structural/index.ts';
import type { Node } from '../../../../src/schema/structural/node.ts';
import { runNow } from '../../../../src/steps/run.ts';

/** A structure whose operations run to their end. */
export class StructureAtOnce {
  /** The structure itself, whose operations are done in steps. */
  readonly inSteps: Structure;

  constructor(source: ValueSchema | Node) {
    this.inSteps = new Structure(source);
  }

  readonly prune = (...args: Parameters<Structure['prune']>): string[] => runNow(this.inSteps.prune(...args));
  readonly setDefaults = (...args: Parameters<Structure['setDefaults']>): void =>
    runNow(this.inSteps.setDefaults(...args));
  readonly validate = (...args: Parameters<Structure['validate']>) => runNow(this.inSteps.validate(...args));
  readonly validateLists = (...args: Parameters<Structure['validateLists']>) =>
    runNow(this.inSteps.validateLists(...args));
  readonly embeddedResources = (...args: Parameters<Structure['embeddedResources']>) =>
    runNow(this.inSteps.embeddedResources(...args));
  readonly isSmall = (value: unknown): boolean => this.inSteps.isSmall(value);
  readonly isComplete = (...args: Parameters<Structure['isComplete']>): boolean =>
    this.inSteps.isComplete(...args);
  readonly unchangedAt = (...args: Parameters<Structure['unchangedAt']>) => this.inSteps.unchangedAt(...args);
}
