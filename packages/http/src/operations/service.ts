import {
  auditPublicKeySchema,
  jsonSchemaOfProcedure,
  maxConnectionRequestBytes,
  maxJsonDepth,
  maxRequestBytes,
  serviceFactsSchema,
} from "@procedo/contract";
import * as z from "zod";
import { defineSessionOperation, reply, type OpenOperation } from "../operation.ts";
import { noQuery } from "./no-query.ts";

/** A loose schema: the OpenAPI specification defines the contents. */
const openApiSchema = z.looseObject({ openapi: z.string() }).meta({ id: "OpenApiDocument" });
/** A loose schema: the JSON Schema specification defines the contents. */
const jsonSchemaSchema = z.looseObject({ $schema: z.string() }).meta({ id: "JsonSchema" });
const healthSchema = z.strictObject({ status: z.literal("ok") }).meta({ id: "Health" });
const readinessSchema = z.strictObject({ status: z.literal("ready") }).meta({ id: "Readiness" });

export const getOpenApi: OpenOperation = {
  id: "getOpenApi",
  access: "open",
  method: "GET",
  path: "/api/v1/openapi.json",
  tag: "Service",
  summary: "Get the OpenAPI document",
  answers: { 200: { description: "The OpenAPI document of the service.", schema: openApiSchema } },
  errors: [],
  handle: async ({ openApiText }) => ({ status: 200, body: openApiText() }),
};

export const getProcedureSchema: OpenOperation = {
  id: "getProcedureSchema",
  access: "open",
  method: "GET",
  path: "/api/v1/procedure.schema.json",
  tag: "Service",
  summary: "Get the JSON Schema of procedure documents",
  description: "For editors, which complete and check documents whose `$schema` is this address.",
  answers: { 200: { description: "A JSON Schema (2020-12).", schema: jsonSchemaSchema } },
  errors: [],
  handle: async () => ({ status: 200, body: jsonSchemaOfProcedure() }),
};

export const getService = defineSessionOperation({
  id: "getService",
  method: "GET",
  path: "/api/v1/service",
  tag: "Service",
  summary: "Get how the service is set up",
  description:
    "Its version, addresses and limits, and the process that answered. Runs are kept until they are archived by the command " +
    "`procedo archive`.",
  permission: "administer",
  query: noQuery,
  answers: { 200: { description: "The facts. They contain no secret.", schema: serviceFactsSchema } },
  errors: [],
  handle: async ({ about, service: { addresses, requestsPerSecond } }) => {
    const { version, models, timeZone, deployment } = about;
    return reply(200, {
      version,
      models: [...models],
      timeZone,
      addresses: { ...addresses },
      limits: {
        ...(requestsPerSecond !== undefined && { requestsPerSecond }),
        maxRequestBytes,
        maxConnectionRequestBytes,
        maxJsonDepth,
      },
      ...(deployment !== undefined && {
        deployment: { ...deployment, allowNetworks: [...deployment.allowNetworks] },
      }),
    });
  },
});

export const getAuditPublicKey: OpenOperation = {
  id: "getAuditPublicKey",
  access: "open",
  method: "GET",
  path: "/api/v1/audit/public-key",
  tag: "Service",
  summary: "Get the public key of audit exports",
  description:
    "Verifies exports and checkpoints. An auditor compares it with a copy that did not come from this address.",
  answers: { 200: { description: "A JSON Web Key.", schema: auditPublicKeySchema } },
  errors: [],
  handle: async ({ publicKey }) => ({ status: 200, body: publicKey() }),
};

export const getHealth: OpenOperation = {
  id: "getHealth",
  access: "open",
  method: "GET",
  path: "/healthz",
  tag: "Service",
  summary: "Check that the process answers",
  answers: { 200: { description: "The process answers.", schema: healthSchema } },
  errors: [],
  handle: async () => ({ status: 200, body: { status: "ok" } }),
};

export const getReadiness: OpenOperation = {
  id: "getReadiness",
  access: "open",
  method: "GET",
  path: "/readyz",
  tag: "Service",
  summary: "Check that requests can be served",
  answers: { 200: { description: "Requests can be served.", schema: readinessSchema } },
  errors: ["storage_unavailable", "overloaded", "shutting_down"],
  handle: async ({ ready }) => {
    await ready();
    return { status: 200, body: { status: "ready" } };
  },
};
