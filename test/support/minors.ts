import { MINORS, type Minor } from '../../src/model/life.ts';
import { TypeModel } from '../../src/model/type-model.ts';
import { firstDeclarations } from '../../src/model/types/index.ts';
import { laterDeclarations } from '../../src/model/types/later.ts';

/** The releases that declarations know apart, oldest first. */
export const DECLARED_MINORS: readonly Minor[] = MINORS.filter((minor) => minor !== '1.31');

const models = new Map<Minor, TypeModel>();

/** The types of a release, whether it is served or not. */
export async function typesOfMinor(minor: Minor): Promise<TypeModel> {
  let model = models.get(minor);
  if (model === undefined) {
    const later = await Promise.all(laterDeclarations.map(async ({ load }) => (await load()).default));
    model = new TypeModel([...firstDeclarations, ...later], minor);
    models.set(minor, model);
  }
  return model;
}
