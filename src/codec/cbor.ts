export { parseCbor } from './cbor-parse.ts';
export { withBinaryBytes } from './cbor-typed.ts';
export { cborParts, writeCbor } from './cbor-write.ts';
