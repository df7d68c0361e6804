import { Ajv2020 } from "ajv/dist/2020.js";
import addFormatsPlugin from "ajv-formats";
import type { OpenApiDocument } from "@procedo/http";
import { expect } from "vitest";
import type { Answered } from "./harness.ts";

type Schema = Readonly<Record<string, unknown>>;
interface Described {
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }>
  >;
}

const addFormats = addFormatsPlugin as unknown as (ajv: Ajv2020) => Ajv2020;

/**
 * Checks an answer against the document: the operation declares this status and such a body. Other paths have the
 * common error body.
 */
export function checkAnswer(document: OpenApiDocument, method: string, target: string, answer: Answered): void {
  if (answer.text === "") return;
  expect(answer.headers.get("content-type")).toBe("application/json");
  expect(answer.headers.get("x-request-id")).toMatch(/^req_/);
  const operation = operationAt(document, method, target);
  const known = operation?.responses[answer.status];
  if (operation !== undefined)
    expect(Object.keys(operation.responses), `${method} ${target}`).toContain(String(answer.status));
  const schema = known?.content?.["application/json"]?.schema ?? { $ref: "#/components/schemas/Error" };
  const validate = validatorOf(document, schema);
  const fits = validate(answer.body);
  expect(fits ? [] : validate.errors, `${method} ${target} answered ${answer.status} ${answer.text}`).toEqual([]);
  if (answer.status >= 400 && answer.body["status"] !== "timeout") {
    expect(answer.body["requestId"]).toBe(answer.headers.get("x-request-id"));
  }
}

function operationAt(document: OpenApiDocument, method: string, target: string): Described | undefined {
  const path = new URL(target, "http://procedo.test").pathname;
  // Fixed segments precede variable ones, as in the router.
  const templates = Object.keys(document.paths).sort((a, b) => a.split("{").length - b.split("{").length);
  const template = templates.find((one) => new RegExp(`^${one.replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(path));
  return template === undefined
    ? undefined
    : (document.paths[template]?.[method.toLowerCase()] as unknown as Described | undefined);
}

type Validator = ReturnType<Ajv2020["compile"]>;
const validators = new WeakMap<OpenApiDocument, { readonly ajv: Ajv2020; readonly bySchema: Map<string, Validator> }>();

function validatorOf(document: OpenApiDocument, schema: Schema): Validator {
  const known = validators.get(document) ?? {
    ajv: addFormats(new Ajv2020({ strict: false, allErrors: true, formats: { base64url: /^[\w-]*$/ } })).addSchema({
      $id: "api",
      ...document,
    }),
    bySchema: new Map<string, Validator>(),
  };
  validators.set(document, known);
  const text = JSON.stringify(schema).replaceAll('"#/', '"api#/');
  const validator = known.bySchema.get(text) ?? known.ajv.compile(JSON.parse(text) as Schema);
  known.bySchema.set(text, validator);
  return validator;
}
