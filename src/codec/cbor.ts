export { parseCbor } from './cbor-parse.ts';
export { withBinaryBytes } from './cbor-typed.ts';
export { cborParts, writeCbor, writeCborInSteps } from './cbor-write.ts';
