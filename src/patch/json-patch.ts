export function applyJsonPatch(_document: unknown, _patch: unknown): unknown {
  throw new Error('being written');
}
