import { ProcedoError, requestProblems } from "@procedo/contract";
import type * as z from "zod";
import { invalidRequest } from "./invalid-request.ts";

/**
 * Returns the query parameters as sent.
 *
 * @throws ProcedoError `malformed_request` for a duplicate parameter, whose intended value is ambiguous
 */
export function queryParameters(query: string): Readonly<Record<string, string>> {
  if (query === "") return noParameters;
  const parameters: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const [name, value] of new URLSearchParams(query)) {
    if (name in parameters) {
      throw new ProcedoError("malformed_request", "A query parameter was given twice. Give each parameter once.");
    }
    parameters[name] = value;
  }
  return parameters;
}

const noParameters: Readonly<Record<string, string>> = Object.freeze({});

/** Cached result of the empty query for each schema, because most requests have no parameters. */
const queriesOfNothing = new WeakMap<z.ZodObject, unknown>();

/** @throws ProcedoError `unknown_field`, `malformed_request` */
export function readQuery(schema: z.ZodObject, parameters: Readonly<Record<string, string>>): unknown {
  const known = parameters === noParameters ? queriesOfNothing.get(schema) : undefined;
  if (known !== undefined) return known;
  const query = schema.safeParse({ ...parameters });
  if (!query.success) throw invalidRequest("query", requestProblems(query.error));
  if (parameters === noParameters) queriesOfNothing.set(schema, Object.freeze(query.data));
  return query.data;
}
