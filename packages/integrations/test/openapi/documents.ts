import { compileSchema } from "@procedo/procedure";
import type { JsonObject, JsonValue } from "@procedo/contract";
import {
  type ImportedApi,
  type ImportedOperation,
  importDocument,
  type ImportProblem,
} from "@procedo/integrations/openapi";

export const answers: JsonObject = { "200": { description: "ok" } };

/** A document of OpenAPI 3.0 without problems. */
export function openApi(paths: JsonObject, more: JsonObject = {}): string {
  const head = { openapi: "3.0.3", info: { title: "Ledger", version: "1" } };
  return JSON.stringify({ ...head, servers: [{ url: "https://api.example.com" }], paths, ...more });
}

/** A document of Swagger 2.0 without problems. */
export function swagger(paths: JsonObject, more: JsonObject = {}): string {
  const head = { swagger: "2.0", info: { title: "Ledger", version: "1" } };
  return JSON.stringify({ ...head, host: "api.example.com", basePath: "/v1", schemes: ["https"], paths, ...more });
}

/** An operation of OpenAPI 3.0 whose body is JSON. */
export const posting = (schema: JsonValue, more: JsonObject = {}): JsonObject => ({
  post: {
    operationId: "create",
    requestBody: { required: true, content: { "application/json": { schema } } },
    responses: answers,
    ...more,
  },
});

/** @throws Error when it is refused */
export function imported(text: string): ImportedApi {
  const result = importDocument(text);
  if (!result.ok) throw new Error(JSON.stringify(result.problems, undefined, 2));
  return result.api;
}

/** The only operation of a document. */
export function onlyOperation(text: string): ImportedOperation {
  const { operations, problems } = imported(text);
  const [operation, ...more] = operations;
  if (operation === undefined || more.length > 0) throw new Error(JSON.stringify(problems, undefined, 2));
  return operation;
}

/** All problems of an imported or refused document. */
export function problemsOf(text: string): readonly ImportProblem[] {
  const result = importDocument(text);
  return result.ok ? result.api.problems : result.problems;
}

/** Pointers of the errors. */
export const errorsOf = (text: string): readonly string[] =>
  problemsOf(text).flatMap(({ severity, pointer }) => (severity === "error" ? pointer : []));

/** Whether arguments match an action's input. @throws Error when its schema does not compile */
export function takes({ input }: ImportedOperation, args: JsonObject): boolean {
  const compiled = compileSchema(input, { unsupportedPatterns: "ignore" });
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.problems));
  return compiled.validator.validate(args).length === 0;
}
