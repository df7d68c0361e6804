import { errorBodySchema, errorCatalogue, type ErrorCode } from "@procedo/contract";
import {
  nothing,
  type AnswerSpec,
  type InboundOperation,
  type OpenOperation,
  type Operation,
  type PageOperation,
} from "../operation.ts";
import { sessionCookieName } from "../access/browser-cookie.ts";
import { operations } from "../operations/operations.ts";
import { createJsonSchemas, type JsonSchema, type JsonSchemas } from "./json-schemas.ts";

/** An OpenAPI 3.1 document. */
export interface OpenApiDocument {
  readonly openapi: "3.1.0";
  /** Title, version and description of the API. */
  readonly info: {
    /** Name of the API. */
    readonly title: string;
    /** Version of the API. */
    readonly version: string;
    /** Description of the API, in Markdown. */
    readonly description: string;
  };
  /** The addresses of the API. */
  readonly servers: readonly JsonSchema[];
  /** The groups of operations. */
  readonly tags: readonly JsonSchema[];
  /** The ways in which requests authenticate, unless an operation states others. */
  readonly security: readonly JsonSchema[];
  /** By path, then by lower-case method. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, JsonSchema>>>>;
  /** Schemas, security schemes and headers that the operations refer to. */
  readonly components: Readonly<
    Record<"schemas" | "securitySchemes" | "headers", Readonly<Record<string, JsonSchema>>>
  >;
}

/** Version of the interface; its major number is part of the paths. */
const interfaceVersion = "1.0.0";

/**
 * Describes every endpoint, from the same table that serves the endpoints.
 *
 * @param addresses - base addresses of the service: of the Runner API, of private connections' clients, and of all
 *   other paths
 * @example
 * ```ts
 * import { openApiDocument } from "@procedo/http";
 *
 * const address = "https://procedo.example.com";
 * console.log(JSON.stringify(openApiDocument({ runnerUrl: address, appUrl: address })));
 * ```
 */
export function openApiDocument(addresses: {
  readonly runnerUrl: string;
  readonly appUrl: string;
  /** @defaultValue `runnerUrl` */
  readonly sdkUrl?: string;
}): OpenApiDocument {
  return describeOperations(operations, addresses);
}

/** Describes these operations. Sessions are a way to authenticate if an operation needs one. */
export function describeOperations(
  described: readonly Operation[],
  addresses: Parameters<typeof openApiDocument>[0],
): OpenApiDocument {
  const schemas = createJsonSchemas();
  const { runnerUrl, appUrl, sdkUrl = runnerUrl } = addresses;
  const hasSessions = described.some(({ access }) => access === "session");
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const operation of described) {
    const path = operation.path.replaceAll(/:(\w+)/g, "{$1}");
    const url = operation.access === "client" ? sdkUrl : isRunnerPath(operation.path) ? runnerUrl : appUrl;
    const server = url === appUrl ? {} : { servers: [{ url }] };
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: { ...describe(operation, schemas), ...server } };
  }
  schemas.of(errorBodySchema, "output");
  return {
    openapi: "3.1.0",
    info: { title: "Procedo", version: interfaceVersion, description },
    servers: [{ url: appUrl }],
    tags: [...new Set(described.map(({ tag }) => tag))].map((name) => ({ name })),
    security: [{ apiKey: [] }, ...(hasSessions ? ofPeople : [])],
    paths,
    components: {
      schemas: sorted(schemas.components),
      securitySchemes: {
        apiKey: {
          type: "http",
          scheme: "bearer",
          description:
            "An API key: `rsk_sandbox_…` or `rsk_live_…`. A key has access to its own environment only. Use the scheme `Bearer`.",
        },
        ...(hasSessions && sessionSchemes(appUrl)),
        connectionToken: {
          type: "http",
          scheme: "bearer",
          description:
            "A private connection's token: `run_sandbox_…` or `run_live_…`. A token identifies the connection and the " +
            "environment, and is accepted only at the endpoints of private connection clients.",
        },
      },
      headers: {
        RequestId: { description: "Identifies the request in the service's log.", schema: { type: "string" } },
        RetryAfter: { description: "Seconds to wait.", schema: { type: "integer", minimum: 0 } },
        Allow: { description: "Methods that the path supports.", schema: { type: "string" } },
      },
    },
  };
}

/** How the sessions of people are sent. */
function sessionSchemes(appUrl: string): Readonly<Record<string, JsonSchema>> {
  return {
    session: {
      type: "apiKey",
      in: "cookie",
      name: sessionCookieName(appUrl),
      description:
        "A person's session in a browser, set by `POST /api/v1/session`. A request that changes something needs " +
        "`Sec-Fetch-Site: same-origin`, or the `Origin` of the application. A request has one credential only.",
    },
    sessionToken: {
      type: "http",
      scheme: "bearer",
      description:
        "A person's session for programs: `ses_…`, from `POST /api/v1/session` with `answerWith: token`. Requests that " +
        "concern an environment name it in the path or by `?environment=`.",
    },
  };
}

const description =
  "Durable procedure automation for financial operations. Bodies are JSON in UTF-8, up to 1 MiB, or up to 25 MiB for a " +
  "connection. A number that a double cannot represent exactly is refused. Unknown fields and parameters are refused, never " +
  "ignored. `HEAD` is supported wherever `GET` is, except for client polls and pages of authorizations.";

/** The security schemes of a person's session. */
const ofPeople: readonly JsonSchema[] = [{ session: [] }, { sessionToken: [] }];

function isRunnerPath(path: string): boolean {
  return /^\/(v1|runs)\//.test(path);
}

function describe(operation: Operation, schemas: JsonSchemas): JsonSchema {
  const { id, tag, summary, description: text } = operation;
  const head = { operationId: id, tags: [tag], summary, ...(text !== undefined && { description: text }) };
  if (operation.access === "inbound") {
    return {
      ...head,
      security: [],
      parameters: pathParameters(operation),
      requestBody: { required: true, content: { "*/*": {} } },
      responses: responses(operation, [], schemas),
    };
  }
  if (operation.access === "open") return { ...head, security: [], responses: responses(operation, [], schemas) };
  if (operation.access === "page") {
    const described = { ...head, security: [], parameters: parameters(operation, schemas) };
    return { ...described, responses: responses(operation, ofEveryPage, schemas) };
  }
  const { body } = operation;
  const media = body && { "application/json": { schema: schemas.of(body.describedBy ?? body.schema, "input") } };
  return {
    ...head,
    ...securityOf(operation),
    parameters: parameters(operation, schemas),
    ...(media !== undefined && { requestBody: { required: body?.optional !== true, content: media } }),
    responses: responses(operation, errorsOf(operation), schemas),
  };
}

type ReadingOperation = Exclude<Operation, OpenOperation | InboundOperation | PageOperation>;

function securityOf(operation: ReadingOperation): JsonSchema {
  switch (operation.access) {
    case "guest":
      return { security: [] };
    case "session":
      return { security: ofPeople, ...permissionOf(operation) };
    case "client":
      return { security: [{ connectionToken: [] }] };
    case "principal":
      return {};
    case "key":
      return permissionOf(operation);
  }
}

function permissionOf({ permission }: { readonly permission?: string | readonly string[] }): JsonSchema {
  return permission === undefined ? {} : { "x-permission": permission };
}

function parameters(operation: ReadingOperation | PageOperation, schemas: JsonSchemas): readonly JsonSchema[] {
  const { properties = {} } = schemas.of(operation.query, "input") as { properties?: Record<string, JsonSchema> };
  const inQuery = Object.entries(properties).map(([name, { description: text, ...schema }]) => ({
    name,
    in: "query",
    ...(text !== undefined && { description: text }),
    schema,
  }));
  const headers = operation.access === "page" ? {} : operation.headers;
  const inHeader = Object.entries(headers ?? {}).map(([name, of]) => {
    const { description: text, ...schema } = schemas.of(of, "input");
    return { name, in: "header", ...(text !== undefined && { description: text }), schema };
  });
  return [...pathParameters(operation), ...inQuery, ...inHeader];
}

function pathParameters({ path }: Operation): readonly JsonSchema[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => ({
    name,
    in: "path",
    required: true,
    schema: name === "environment" ? { $ref: "#/components/schemas/Environment" } : { type: "string" },
  }));
}

/** All error codes of an operation: the common ones of its access and body, and its own. */
function errorsOf(operation: ReadingOperation): readonly ErrorCode[] {
  const { access, body, errors, path } = operation;
  // A browser is redirected after all other failures.
  if (operation.access === "guest" && operation.failurePage !== undefined) return errors;
  return [
    ...ofEveryOperation,
    ...ofAccess[access],
    ...(body === undefined ? [] : ofBodies),
    ...(body === undefined || body.keepsDigits === true ? [] : (["inexact_number"] as const)),
    ...(path.includes(":environment") ? (["not_found"] as const) : []),
    ...errors,
  ];
}

/** Refusals of access. A person may lack access to an environment, and a browser may send a foreign page's request. */
const ofAccess: Readonly<Record<ReadingOperation["access"], readonly ErrorCode[]>> = {
  guest: ["permission_denied"],
  session: ["unauthorized", "permission_denied"],
  key: ["unauthorized", "environment_mismatch", "permission_denied"],
  principal: ["unauthorized", "permission_denied"],
  client: ["unauthorized"],
};

const ofEveryOperation: readonly ErrorCode[] = [
  "malformed_request",
  "unknown_field",
  "rate_limited",
  "internal",
  "storage_unavailable",
  "overloaded",
];

const ofEveryPage: readonly ErrorCode[] = ["rate_limited", "internal", "storage_unavailable"];

const ofBodies: readonly ErrorCode[] = ["too_deep", "payload_too_large", "unsupported_media_type", "invalid_input"];

function responses(operation: Operation, errors: readonly ErrorCode[], schemas: JsonSchemas): JsonSchema {
  const answers = Object.entries(operation.answers).map(
    ([status, answer]) => [status, answered(answer, schemas)] as const,
  );
  const codesOf = new Map<number, ErrorCode[]>();
  for (const code of new Set([...errors, ...operation.errors])) {
    const { status } = errorCatalogue[code];
    codesOf.set(status, [...(codesOf.get(status) ?? []), code]);
  }
  const refusals = [...codesOf]
    .sort(([a], [b]) => a - b)
    .map(([status, codes]) => [String(status), refused(status, codes, schemas, operation.access === "page")] as const);
  return Object.fromEntries([...answers, ...refusals]);
}

const requestIdHeader = { "X-Request-Id": { $ref: "#/components/headers/RequestId" } };

function answered({ description: text, schema, media }: AnswerSpec, schemas: JsonSchemas): JsonSchema {
  if (schema === nothing) return { description: text, headers: requestIdHeader };
  const content = { [media ?? "application/json"]: { schema: schemas.of(schema, "output") } };
  return { description: text, headers: requestIdHeader, content };
}

function refused(status: number, codes: readonly ErrorCode[], schemas: JsonSchemas, isPage: boolean): JsonSchema {
  const retryAfter = codes.some((code) => errorCatalogue[code].retryable) && {
    "Retry-After": { $ref: "#/components/headers/RetryAfter" },
  };
  return {
    description: codes.map((code) => `\`${code}\``).join(", "),
    headers: { ...requestIdHeader, ...((status < 500 || status === 503) && retryAfter) },
    content: isPage
      ? { "text/html": { schema: { type: "string" } } }
      : { "application/json": { schema: schemas.of(errorBodySchema, "output") } },
  };
}

function sorted(record: Readonly<Record<string, JsonSchema>>): Record<string, JsonSchema> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}
