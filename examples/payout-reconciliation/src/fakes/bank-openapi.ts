/**
 * The description of the bank's statement service. Custom API makes the action `list_credits` from it, so that the
 * example has no code for calls of the bank.
 */
export const bankOpenApi = {
  openapi: "3.0.3",
  info: { title: "Bank statement", version: "1.0.0" },
  paths: {
    "/credits": {
      get: {
        operationId: "list_credits",
        summary: "List the money that the account received on a day",
        parameters: [{ name: "bookedOn", in: "query", required: true, schema: { type: "string", format: "date" } }],
        responses: {
          "200": {
            description: "All credits of the day.",
            content: { "application/json": { schema: { $ref: "#/components/schemas/Credits" } } },
          },
        },
      },
    },
  },
  components: {
    schemas: {
      Credits: {
        type: "object",
        required: ["data"],
        properties: { data: { type: "array", items: { $ref: "#/components/schemas/Credit" } } },
      },
      Credit: {
        type: "object",
        required: ["creditId", "amountMinor", "currency", "reference"],
        properties: {
          creditId: { type: "string", example: "cr_1" },
          amountMinor: { type: "integer", format: "int64", description: "In minor units of the currency." },
          currency: { type: "string", pattern: "^[A-Z]{3}$", description: "ISO 4217 code." },
          reference: { type: "string", nullable: true, description: "The id of the payout, where the bank knows it." },
        },
      },
    },
  },
} as const;
