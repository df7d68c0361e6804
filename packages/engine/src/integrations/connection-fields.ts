import type { JsonObject } from "@procedo/contract";
import * as z from "zod";
import type { ConnectionFields, SecretField } from "./integration.ts";

/** The fields of a connection that has neither settings nor secrets. */
export const noFields: ConnectionFields = {
  settings: { type: "object", properties: {}, additionalProperties: false },
  secrets: [],
  authentication: [],
};

/**
 * The fields of a connection by its schemas. A type that JSON Schema cannot describe becomes a schema for any value: the
 * fields only guide a form, and the schemas themselves check the values.
 */
export function connectionFields(
  settings: z.ZodObject | undefined,
  secrets: z.ZodObject | undefined,
): ConnectionFields {
  return {
    ...noFields,
    ...(settings !== undefined && {
      settings: z.toJSONSchema(settings, { io: "input", unrepresentable: "any" }) as JsonObject,
    }),
    ...(secrets !== undefined && { secrets: secretFields(secrets), ...otherSecrets(secrets) }),
  };
}

/** The secrets that a schema describes. */
export function secretFields(secrets: z.ZodObject): readonly SecretField[] {
  const { properties = {}, required = [] } = z.toJSONSchema(secrets, { io: "input", unrepresentable: "any" });
  return Object.entries(properties).map(([name, schema]) => {
    const description = typeof schema === "object" ? schema.description : undefined;
    return { name, isRequired: required.includes(name), ...(description !== undefined && { description }) };
  });
}

/** The secrets that people name themselves: the schema of the other ones has the metadata `prefix`. */
function otherSecrets(secrets: z.ZodObject): Pick<ConnectionFields, "otherSecrets"> {
  const { additionalProperties } = z.toJSONSchema(secrets, { io: "input", unrepresentable: "any" });
  if (typeof additionalProperties !== "object") return {};
  const { prefix, description } = additionalProperties as { readonly prefix?: unknown; readonly description?: string };
  if (typeof prefix !== "string") return {};
  return { otherSecrets: { prefix, ...(description !== undefined && { description }) } };
}
