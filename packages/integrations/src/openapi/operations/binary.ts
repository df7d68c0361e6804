import type { JsonObject } from "@procedo/contract";

const content: JsonObject = {
  anyOf: [
    { type: "string", format: "binary", description: "As text." },
    {
      type: "object",
      required: ["base64"],
      properties: {
        base64: { type: "string", description: "As bytes." },
        filename: { type: "string" },
        contentType: { type: "string" },
      },
      additionalProperties: false,
    },
  ],
};

/** What stands for bytes, which JSON does not have; says what `schema` said of them. */
export function binarySchema(schema: JsonObject): JsonObject {
  const { title, description } = schema;
  return { ...(title !== undefined && { title }), ...(description !== undefined && { description }), ...content };
}
