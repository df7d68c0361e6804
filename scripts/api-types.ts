import openapiTS, { astToString, type OpenAPI3 } from "openapi-typescript";
import { openApiDocument } from "../packages/http/src/index.ts";

/** The path of the dashboard's types of the HTTP API, from the root. */
export const apiTypesPath = "packages/dashboard/src/api/schema.d.ts";

const header = "// Written by `pnpm docs:update` from the OpenAPI document of the service.\n\n";

/** The types of the HTTP API as a module, from the OpenAPI document of the service. */
export async function apiTypes(): Promise<string> {
  const document = openApiDocument({ runnerUrl: "{runner_url}", appUrl: "{app_url}" });
  // A field with a default may be left out of a request.
  const nodes = await openapiTS(document as unknown as OpenAPI3, { defaultNonNullable: false });
  return header + astToString(nodes);
}
