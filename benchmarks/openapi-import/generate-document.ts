/**
 * W6's document: 1,500 operations and about 1 MB of JSON, similar to a vendor's document: parameters with formats and
 * enums, bodies that share components, responses by reference. The same each time.
 */
export function generateDocument(operations = 1_500): string {
  const resources = Math.ceil(operations / 5);
  const paths: Record<string, unknown> = {};
  const schemas: Record<string, unknown> = { Money: money, Error: error };
  for (let index = 0; index < resources; index++) {
    const name = `Resource${index}`;
    schemas[name] = resource(name, index);
    paths[`/v1/resource_${index}`] = {
      get: operation(`list${name}`, { parameters: listParameters, answer: listOf(name) }),
      post: operation(`create${name}`, { body: refTo(name), answer: refTo(name) }),
    };
    paths[`/v1/resource_${index}/{id}`] = {
      parameters: [idParameter],
      get: operation(`get${name}`, { answer: refTo(name) }),
      put: operation(`replace${name}`, { body: refTo(name), answer: refTo(name) }),
      delete: operation(`delete${name}`, { answer: { type: "object" } }),
    };
  }
  return JSON.stringify({
    openapi: "3.0.3",
    info: { title: "Generated", version: "1.0.0" },
    servers: [{ url: "https://api.example.com" }],
    paths,
    components: {
      schemas,
      responses: Object.fromEntries(failures.map((name) => [name, answerOf(name, refTo("Error"))])),
    },
  });
}

const refTo = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const jsonOf = (schema: unknown) => ({ "application/json": { schema } });
const answerOf = (description: string, schema: unknown) => ({ description, content: jsonOf(schema) });
const listOf = (name: string) => ({
  type: "object",
  properties: { data: { type: "array", items: refTo(name) }, has_more: { type: "boolean" } },
});

const failures = ["BadRequest", "Unauthorized", "NotFound", "Failure"];
const failure = (name: string) => ({ $ref: `#/components/responses/${name}` });

const money = {
  type: "object",
  required: ["amount", "currency"],
  properties: {
    amount: { type: "integer", format: "int64", minimum: 0 },
    currency: { type: "string", minLength: 3, maxLength: 3 },
  },
};
const error = { type: "object", properties: { code: { type: "string" }, message: { type: "string" } } };
const idParameter = { name: "id", in: "path", required: true, schema: { type: "string", maxLength: 64 } };
const listParameters = [
  { name: "limit", in: "query", schema: { type: "integer", minimum: 1, maximum: 100, default: 10 } },
  { name: "status", in: "query", schema: { type: "array", items: { type: "string", enum: ["open", "paid", "void"] } } },
];

/** Each refers to another one in cycles, so that all are reached. */
const resource = (name: string, index: number) => ({
  type: "object",
  description: `The ${name} as it is kept.`,
  required: ["name", "total"],
  properties: {
    id: { type: "string", readOnly: true },
    name: { type: "string", description: `What people call the ${name}.`, maxLength: 200 },
    total: refTo("Money"),
    due: { type: "string", format: "date", nullable: true },
    status: { type: "string", enum: ["open", "paid", "void"], default: "open" },
    tags: { type: "array", items: { type: "string" }, maxItems: 50 },
    next: refTo(`Resource${index % 10 === 9 ? index - 9 : index + 1}`),
    metadata: { type: "object", additionalProperties: { type: "string", maxLength: 500 } },
  },
});

interface Parts {
  readonly parameters?: unknown;
  readonly body?: unknown;
  readonly answer: unknown;
}

const operation = (operationId: string, { parameters, body, answer }: Parts) => ({
  operationId,
  tags: ["generated"],
  summary: `Does ${operationId}, and says so in a summary of the usual length.`,
  ...(parameters !== undefined && { parameters }),
  ...(body !== undefined && { requestBody: { required: true, content: jsonOf(body) } }),
  responses: {
    "200": answerOf("Done", answer),
    "400": failure("BadRequest"),
    "401": failure("Unauthorized"),
    "404": failure("NotFound"),
    default: failure("Failure"),
  },
});
