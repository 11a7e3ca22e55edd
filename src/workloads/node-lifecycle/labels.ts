type Labels = Readonly<Record<string, string>>;

/** Labels and the older ones that must equal them. */
const MIRRORED = [
  ['kubernetes.io/arch', 'beta.kubernetes.io/arch'],
  ['kubernetes.io/os', 'beta.kubernetes.io/os'],
] as const;

/** The older labels of a node that differ from the present ones; undefined if none does. */
export function labelChanges(labels: Labels): Labels | undefined {
  const changed = MIRRORED.flatMap(([present, older]) => {
    const value = labels[present];
    return value === undefined || labels[older] === value ? [] : [[older, value] as const];
  });
  return changed.length === 0 ? undefined : Object.fromEntries(changed);
}
