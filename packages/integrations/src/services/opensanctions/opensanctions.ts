import type { JsonObject, JsonValue } from "@procedo/contract";
import { defineIntegration, type CodedIntegration } from "@procedo/engine";
import * as z from "zod";
import { createService } from "../../kit/service.ts";

const settings = z.object({
  baseUrl: z
    .url({ protocol: /^https?$/ })
    .default("https://api.opensanctions.org")
    .meta({ description: "Address of the service. A self-hosted yente has its own." }),
});
const secrets = z.object({
  apiKey: z.string().min(6).optional().meta({ description: "Left out for a self-hosted service without keys." }),
});

const dataset = z.string().min(1).max(128).default("default").meta({ description: "Name of a dataset or collection." });

const entity = z.looseObject({
  id: z.string(),
  caption: z.string().meta({ description: "Name for people." }),
  schema: z.string().meta({ description: "`Person`, `Company` and so on." }),
  properties: z.record(z.string(), z.json()),
});

const candidate = entity.extend({
  score: z.number().meta({ description: "Likeness, 0 to 1." }),
  match: z.boolean().meta({ description: "Whether the score reaches the threshold." }),
});

/**
 * OpenSanctions, at its own address or self-hosted as yente: screening of people and companies. All actions only read.
 *
 * Its interface: https://www.opensanctions.org/docs/api/
 */
export function openSanctions(): CodedIntegration {
  const { action, ask } = createService<z.output<typeof settings>, z.output<typeof secrets>>({
    baseUrl: (connection) => settings.parse(connection.settings).baseUrl,
    credentials: ({ secrets: { apiKey } }) => (apiKey === undefined ? {} : { authorization: `ApiKey ${apiKey}` }),
  });
  return defineIntegration({
    name: "opensanctions",
    title: "OpenSanctions",
    category: "compliance",
    settings,
    secrets,
    destinationOf: ({ baseUrl }) => baseUrl,
    // The service has no account to name: a search shows whether it accepts the key.
    account: async (context) => {
      await ask(context, "read", { path: "/search/default", query: { q: "acme", limit: 1 } });
      const { host } = new URL(settings.parse(context.settings).baseUrl);
      return { id: host, name: host };
    },
    actions: () => ({
      match: action({
        description: "Compares a person or company with the entities of a dataset, and returns the likeliest.",
        effect: "read",
        input: z.object({
          dataset,
          schema: z.enum(["Person", "Company", "Organization", "LegalEntity", "Vessel", "Airplane"]),
          properties: z
            .record(z.string(), z.array(z.string()).min(1))
            .refine((properties) => Object.keys(properties).length > 0, "must have at least one property")
            .meta({ description: "Names, birth dates, countries and so on, each as a list." }),
          threshold: z
            .number()
            .min(0)
            .max(1)
            .optional()
            .meta({ description: "Score from which on an entity matches." }),
          limit: z.int().min(1).max(100).default(5),
        }),
        output: z.object({ results: z.array(candidate), total: z.json() }),
        request: ({ dataset: name, schema, properties, threshold, limit }) => ({
          method: "POST",
          path: "/match/{dataset}",
          params: { dataset: name },
          query: { limit, threshold },
          json: { queries: { subject: { schema, properties } } },
        }),
        read: (body) => {
          const { results, total } = memberOf(memberOf(body, "responses"), "subject");
          // An answer without a list must not read as "no match".
          if (!Array.isArray(results)) throw new Error("it has no list of results");
          return { results, total: total ?? null };
        },
      }),
      search: action({
        description: "Searches a dataset by words.",
        effect: "read",
        input: z.object({
          dataset,
          text: z.string().min(1).max(500),
          schema: z.string().optional().meta({ description: "Only entities of this schema, such as `Company`." }),
          countries: z.array(z.string()).optional().meta({ description: "Only entities of these countries." }),
          limit: z.int().min(1).max(100).default(10),
          offset: z.int().min(0).max(9_499).default(0),
        }),
        output: z.looseObject({ results: z.array(entity) }),
        request: ({ dataset: name, text, ...query }) => ({
          path: "/search/{dataset}",
          params: { dataset: name },
          query: { q: text, ...query },
        }),
      }),
      get_entity: action({
        description: "Reads an entity with its relations.",
        effect: "read",
        input: z.object({ id: z.string().min(1).max(255) }),
        output: entity,
        request: ({ id }) => ({ path: "/entities/{id}", params: { id } }),
      }),
      list_datasets: action({
        description: "Lists the datasets of the service.",
        effect: "read",
        input: z.object({}),
        output: z.looseObject({ datasets: z.array(z.looseObject({ name: z.string(), title: z.string() })) }),
        request: () => ({ path: "/catalog" }),
      }),
    }),
  });
}

function memberOf(value: JsonValue | undefined, name: string): JsonObject {
  const member =
    typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject)[name] : null;
  if (typeof member === "object" && member !== null && !Array.isArray(member)) return member as JsonObject;
  throw new Error(`it has no object "${name}"`);
}
