import { errorCatalogue } from "../packages/contract/src/index.ts";
import { openApiDocument } from "../packages/http/src/index.ts";

/** The parts of an OpenAPI schema that the reference shows. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
}

interface Operation {
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly "x-permission"?: string | readonly string[];
  readonly security?: readonly object[];
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly description?: string;
    readonly schema: Schema;
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses: Readonly<
    Record<
      string,
      { readonly description: string; readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }
    >
  >;
}

const addresses = { runnerUrl: "{runner_url}", appUrl: "{app_url}" };
const json = "application/json";

/** Renders the reference of the HTTP interface as Markdown, from the OpenAPI document of the service. */
export function httpReference(): string {
  const { paths, components, tags } = openApiDocument(addresses) as unknown as {
    readonly tags: readonly { readonly name: string }[];
    readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
    readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
  };
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ title: `${method.toUpperCase()} ${path}`, operation })),
  );
  const lines = [
    introduction,
    ...tags.flatMap(({ name }) => [
      `## ${name}`,
      ...operations.filter(({ operation }) => operation.tags[0] === name).flatMap(describeOperation),
    ]),
    "## Objects",
    ...Object.entries(components.schemas).flatMap(([name, schema]) => [`### ${name}`, ...describeSchema(schema)]),
    "## Error codes",
    table(["Code", "Status", "The same request may succeed later"], errorRows()),
  ];
  return `${lines.join("\n\n")}\n`;
}

const introduction = `# HTTP reference

<!-- Made by \`pnpm docs:update\` from the OpenAPI document. Do not edit. -->

The OpenAPI document of the service is at \`/api/v1/openapi.json\`; this page is generated from that document. [Getting started](getting-started.md) shows the interface in use.

- Every request needs \`Authorization: Bearer <API key>\` or the session of a person, except where the endpoint needs no key or a private connection's token. A key has access to its own environment only. A session is the cookie that \`POST /api/v1/session\` sets, or \`Authorization: Bearer ses_…\` with \`answerWith: token\`; its person has the permissions of their roles in each environment. The operations of people and sessions need a session, and take no key. The permission \`run\` allows starting and cancelling runs, \`review\` allows
  decisions, and \`manage\` allows all other writes. Reading needs no permission.
- \`?environment=\` may name the key's environment. Any other environment is refused with a 403. A session's request names the environment in the path or by \`?environment=\`, and is answered with 400 without it, except for the polling of a run and the decision of a review: both find the run's environment.
- Bodies are JSON of at most 1 MiB. Unknown fields and unknown query parameters are refused. Timestamps are ISO 8601.
- Lists answer \`{ "data": […], "nextCursor": "…" }\`. For the next page, send \`nextCursor\` as \`cursor\`. The last page has no \`nextCursor\`.
- Errors are answered as [Error](#error). Handle errors by \`code\`. \`X-Request-Id\` identifies the request in the service's log.`;

function describeOperation({ title, operation }: { readonly title: string; readonly operation: Operation }): string[] {
  const { summary, description, parameters = [], requestBody, responses } = operation;
  const needs = needsOf(operation);
  const body = requestBody?.content[json]?.schema;
  // Common to all operations, and described in the introduction.
  const reported = parameters.filter(({ name, in: place }) => !(name === "environment" && place === "query"));
  return [
    `### ${title}`,
    `${summary}. Needs ${needs}.${description === undefined ? "" : ` ${description}`}`,
    ...(reported.length === 0 ? [] : [table(["Parameter", "In", "Type", "Meaning"], reported.map(parameterRow))]),
    ...(body === undefined ? [] : [`Body: ${typeOf(body)}`]),
    table(
      ["Status", "Body", "When"],
      Object.entries(responses).map(([status, { description: when, content }]) => [
        status,
        content?.[json] === undefined ? "" : typeOf(content[json].schema),
        when,
      ]),
    ),
  ];
}

function needsOf(operation: Operation): string {
  const { security } = operation;
  const permissions = [operation["x-permission"] ?? []].flat();
  const may = permissions.map((permission) => `\`${permission}\``).join(" and ");
  if (security?.length === 0) return "no key";
  if (security?.some((scheme) => "session" in scheme)) {
    return may === "" ? "a person's session" : `a session of a person who may ${may}`;
  }
  if (security !== undefined) return "a private connection's token";
  return may === "" ? "any key or session" : `a key or session that may ${may}`;
}

function parameterRow({
  name,
  in: place,
  required,
  description = "",
  schema,
}: NonNullable<Operation["parameters"]>[number]) {
  return [`\`${name}\`${required === true ? "" : " (optional)"}`, place, typeOf(schema), meaning(description, schema)];
}

function describeSchema(schema: Schema): string[] {
  const { oneOf, anyOf, properties, description } = schema;
  const variants = oneOf ?? anyOf;
  const said = description === undefined ? [] : [description];
  if (variants !== undefined) {
    return [...said, "One of:", ...variants.flatMap((variant) => [...describeVariant(variant)])];
  }
  if (properties === undefined) return [...said, typeOf(schema)];
  return [...said, table(["Field", "Type", "Meaning"], fieldRows(schema, ""))];
}

function describeVariant(variant: Schema): readonly string[] {
  const { properties } = variant;
  if (properties === undefined) return [`- ${typeOf(variant)}`];
  const marks = Object.entries(properties).filter(([, schema]) => schema.const !== undefined);
  const reported = marks.map(([name, schema]) => `\`${name}\` is ${typeOf(schema)}`).join(", ");
  return [`When ${reported}:`, ...describeSchema(variant)];
}

/** Lists fields. Fields of unnamed nested objects are listed with their parent's: `control.executionMode`. */
function fieldRows({ properties = {}, required = [] }: Schema, prefix: string): string[][] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const field = `\`${prefix}${name}\`${required.includes(name) ? "" : " (optional)"}`;
    const nested = schema.items?.properties === undefined ? schema : schema.items;
    const rows =
      nested.properties === undefined ? [] : fieldRows(nested, `${prefix}${name}${nested === schema ? "." : "[]."}`);
    return [[field, typeOf(schema), meaning(schema.description ?? "", schema)], ...rows];
  });
}

function meaning(description: string, schema: Schema): string {
  const { minimum, maximum, default: preset, maxLength } = schema;
  const safe = Number.MAX_SAFE_INTEGER;
  const from = minimum === undefined || minimum === -safe ? undefined : `at least ${minimum}`;
  const to = maximum === undefined || maximum === safe ? undefined : `at most ${maximum}`;
  const length = maxLength === undefined ? undefined : `at most ${maxLength} characters`;
  const fallback = preset === undefined || isEmpty(preset) ? undefined : `default \`${JSON.stringify(preset)}\``;
  const facts = [from, to, length, fallback].filter((fact) => fact !== undefined).join(", ");
  return [description, facts === "" ? "" : `${facts[0]?.toUpperCase() ?? ""}${facts.slice(1)}.`].join(" ").trim();
}

const isEmpty = (value: unknown): boolean => JSON.stringify(value) === "{}";

function typeOf(schema: Schema): string {
  const { $ref, type, items, format, oneOf, anyOf } = schema;
  if ($ref !== undefined) {
    const name = $ref.split("/").at(-1) ?? "";
    return `[${name}](#${name.toLowerCase()})`;
  }
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  if (schema.enum !== undefined) return schema.enum.map((value) => `\`${JSON.stringify(value)}\``).join(", ");
  const variants = oneOf ?? anyOf;
  if (variants !== undefined) return variants.map(typeOf).join(" or ");
  if (type === "array") return items === undefined ? "array" : `array of ${typeOf(items)}`;
  if (format === "date-time") return "timestamp";
  if (format === "uri") return "URL";
  return type ?? "any JSON value";
}

function errorRows(): readonly (readonly string[])[] {
  return Object.entries(errorCatalogue).map(([code, { status, retryable }]) => {
    return [`\`${code}\``, String(status), retryable ? "yes" : ""];
  });
}

function table(heading: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(heading), line(heading.map(() => "---")), ...rows.map(line)].join("\n");
}
