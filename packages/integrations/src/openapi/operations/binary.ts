import type { JsonObject } from "@procedo/contract";

/** The schema of bytes as text. */
export const textForm: JsonObject = { type: "string", format: "binary", description: "As text." };

/** The schema of bytes as base64, their only form in JSON. */
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

/** The schema for bytes, which JSON lacks, with the descriptions of `schema`. */
export function binarySchema(schema: JsonObject): JsonObject {
  return { ...annotationsOf(schema), anyOf: [textForm, bytesForm] };
}

/** The keywords for people. */
export function annotationsOf({ title, description, deprecated }: JsonObject): JsonObject {
  return {
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(deprecated !== undefined && { deprecated }),
  };
}
