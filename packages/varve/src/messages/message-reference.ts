/**
 * Names a message: by Varve's id, or by the id that its host gave it. A host's id is unique within a session only. So a
 * bare text is Varve's id where a message has that one, and else the host's id, where one session alone has it.
 */
export type MessageReference = string | { readonly session: string; readonly externalId: string }
