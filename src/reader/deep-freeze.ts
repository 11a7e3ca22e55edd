/** Freezes a tree of plain data, whose depth a codec bounds. @returns the tree */
export function deepFreeze<Tree>(tree: Tree): Tree {
  if (typeof tree !== 'object' || tree === null || Object.isFrozen(tree)) return tree;
  Object.freeze(tree);
  for (const part of Object.values(tree)) deepFreeze(part);
  return tree;
}
