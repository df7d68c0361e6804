import { expect, test } from "vitest";
import { probeIntegration } from "../../testing/index.ts";
import { openSanctions } from "./opensanctions.ts";

const person = { id: "NK-1", caption: "Jane Doe", schema: "Person", properties: { name: ["Jane Doe"] } };

test("OpenSanctions holds what integrations promise", async () => {
  const problems = await probeIntegration((origin) => ({
    integration: openSanctions(),
    connection: { environment: "live", settings: { baseUrl: origin }, secrets: { apiKey: "3f8c6e0d5b1a" } },
    account: {
      exchanges: [{ request: "GET /search/default?q=acme&limit=1", answer: { results: [] } }],
      account: { id: new URL(origin).host, name: new URL(origin).host },
    },
    calls: {
      match: {
        args: { schema: "Person", properties: { name: ["Jane Doe"], birthDate: ["1970-01-01"] }, threshold: 0.8 },
        exchanges: [
          {
            request: "POST /match/default?limit=5&threshold=0.8",
            sent: {
              queries: { subject: { schema: "Person", properties: { name: ["Jane Doe"], birthDate: ["1970-01-01"] } } },
            },
            answer: {
              responses: {
                subject: {
                  status: 200,
                  results: [{ ...person, score: 0.93, match: true }],
                  total: { value: 1, relation: "eq" },
                },
              },
              limit: 5,
            },
          },
        ],
        output: { results: [{ ...person, score: 0.93, match: true }], total: { value: 1, relation: "eq" } },
      },
      search: {
        args: { dataset: "sanctions", text: "Jane & Doe", countries: ["de", "fr"] },
        exchanges: [
          {
            request: "GET /search/sanctions?q=Jane%20%26%20Doe&countries=de&countries=fr&limit=10&offset=0",
            answer: { results: [person], total: { value: 1, relation: "eq" } },
          },
        ],
      },
      get_entity: { args: { id: "NK-1" }, exchanges: [{ request: "GET /entities/NK-1", answer: person }] },
      list_datasets: {
        args: {},
        exchanges: [{ request: "GET /catalog", answer: { datasets: [{ name: "sanctions", title: "Sanctions" }] } }],
      },
    },
  }));
  expect(problems).toEqual([]);
});

test("the address of a self-hosted service is checked before it is saved, as the default one is", () => {
  const { destinationOf, withDefaults } = openSanctions();
  expect(destinationOf?.({ baseUrl: "https://yente.acme.example" })).toBe("https://yente.acme.example");
  expect(destinationOf?.(withDefaults?.({}) ?? {})).toBe("https://api.opensanctions.org");
});
