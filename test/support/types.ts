import { schemeOf } from '../../src/model/scheme.ts';
import type { MessageType } from '../../src/schema/message.ts';

/** The types of the default release. */
export const { types } = schemeOf();

export const messageType = (name: string): MessageType => types.type(name);
export const findMessageType = (name: string): MessageType | undefined => types.find(name);
export const allMessageTypes = (): MessageType[] => types.all();
export const kindType = (group: string, version: string, kind: string): MessageType | undefined =>
  types.ofKind(group, version, kind);
