import { decodeEnvelope } from '../../src/codec/envelope.ts';
import type { Minor } from '../../src/model/life.ts';
import { parseApiVersion } from '../../src/model/object.ts';
import type { TypeModel } from '../../src/model/type-model.ts';
import type { MessageType } from '../../src/schema/message.ts';
import { typesOfMinor } from './minors.ts';
import { recorded } from './recorded.ts';
import { types } from './types.ts';

/** One object as encoded by kube-apiserver: every field set, in both encodings. */
export interface WireFixture {
  readonly name: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly type: MessageType;
  /** The enveloped protobuf form. */
  readonly protobuf: Buffer;
  /** The JSON form without white space between tokens. */
  readonly json: string;
}

interface RecordedPair {
  readonly name: string;
  readonly protobuf: string;
  readonly json: string;
}

/** The fixture of a recorded object; none for a kind that the model does not have. */
function fixtureOf(
  { name, json, ...encoded }: RecordedPair,
  encoding: 'base64' | 'hex',
  model: TypeModel,
): WireFixture[] {
  const protobuf = Buffer.from(encoded.protobuf, encoding);
  const { apiVersion, kind } = decodeEnvelope(protobuf);
  const { group, version } = parseApiVersion(apiVersion)!;
  // Only watch events are sent without apiVersion and kind.
  const type = kind === '' ? model.type('meta_v1.WatchEvent') : model.ofKind(group, version, kind);
  if (type === undefined) return [];
  return [{ name, apiVersion, kind, type, protobuf, json: json.replace(/("(?:[^"\\]|\\.)*")|\s+/g, '$1') }];
}

/** The recorded objects of all kinds in the type model. */
export const wireFixtures: readonly WireFixture[] = recorded<RecordedPair[]>('wire').flatMap((pair) =>
  fixtureOf(pair, 'base64', types),
);

/** The kinds of a release that it encodes otherwise than the release before it. */
export async function changedWireFixtures(minor: Minor): Promise<WireFixture[]> {
  const model = await typesOfMinor(minor);
  return recorded<RecordedPair[]>(`${minor}/wire`).flatMap((pair) => fixtureOf(pair, 'hex', model));
}
