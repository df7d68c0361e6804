import * as z from "zod";
import type { OpenOperation } from "../operation.ts";

/** The document describes itself by its address only: what is in it is the OpenAPI specification's. */
const openApiSchema = z.looseObject({ openapi: z.string() }).meta({ id: "OpenApiDocument" });
const healthSchema = z.strictObject({ status: z.literal("ok") }).meta({ id: "Health" });
const readinessSchema = z.strictObject({ status: z.literal("ready") }).meta({ id: "Readiness" });

export const getOpenApi: OpenOperation = {
  id: "getOpenApi",
  access: "open",
  method: "GET",
  path: "/api/v1/openapi.json",
  tag: "Service",
  summary: "This document",
  answers: { 200: { description: "The OpenAPI document of the service.", schema: openApiSchema } },
  errors: [],
  handle: async ({ openApiText }) => ({ status: 200, body: openApiText() }),
};

export const getHealth: OpenOperation = {
  id: "getHealth",
  access: "open",
  method: "GET",
  path: "/healthz",
  tag: "Service",
  summary: "Whether the process answers",
  answers: { 200: { description: "It does.", schema: healthSchema } },
  errors: [],
  handle: async () => ({ status: 200, body: { status: "ok" } }),
};

export const getReadiness: OpenOperation = {
  id: "getReadiness",
  access: "open",
  method: "GET",
  path: "/readyz",
  tag: "Service",
  summary: "Whether requests can be served",
  answers: { 200: { description: "They can.", schema: readinessSchema } },
  errors: ["storage_unavailable", "overloaded", "shutting_down"],
  handle: async ({ ready }) => {
    await ready();
    return { status: 200, body: { status: "ready" } };
  },
};
