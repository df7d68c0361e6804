import type { JsonObject } from "@procedo/contract";

/** Bytes as the text that they are. */
export const textForm: JsonObject = { type: "string", format: "binary", description: "As text." };

/** Bytes as base64, which JSON has no other form for. */
export const bytesForm: JsonObject = {
  type: "object",
  required: ["base64"],
  properties: {
    base64: { type: "string", description: "As bytes." },
    filename: { type: "string" },
    contentType: { type: "string" },
  },
  additionalProperties: false,
};

/** What stands for bytes, which JSON does not have; says what `schema` said of them. */
export function binarySchema(schema: JsonObject): JsonObject {
  return { ...annotationsOf(schema), anyOf: [textForm, bytesForm] };
}

/** What a schema says to people. */
export function annotationsOf({ title, description, deprecated }: JsonObject): JsonObject {
  return {
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(deprecated !== undefined && { deprecated }),
  };
}
