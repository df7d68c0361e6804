import { expect, test } from "vitest";
import { onfidoProbe } from "../packages/integrations/src/services/onfido/onfido.probe.ts";
import { onfido } from "../packages/integrations/src/services/onfido/onfido.ts";
import { exchangesOf, readApiDocument, undocumented, undocumentedObject } from "./documented-requests.ts";
import { objectOf, textOf } from "./documented-values.ts";

const document = readApiDocument("onfido-v3.6.json");
const probe = onfidoProbe("http://127.0.0.1");
const samples = (probe.integration.inbound?.events ?? []).map(({ type, sample }) => [type, objectOf(sample)] as const);

test("each request of the Onfido integration is an operation of Onfido's document, with fields that it describes", () => {
  const exchanges = exchangesOf(probe);
  expect(exchanges).toHaveLength(11);
  expect(undocumented(document, exchanges)).toEqual([]);
});

test("the token endpoint of an OAuth client is the document's", () => {
  const { OAuth2ClientCredentials: scheme } = objectOf(objectOf(document["components"])["securitySchemes"]);
  const { tokenUrl } = objectOf(objectOf(objectOf(scheme)["flows"])["clientCredentials"]);
  const settings = { clientId: "app", region: "eu" };
  const client = onfido().oauth?.({ environment: "live", settings, secrets: { clientSecret: "cl1ent-s3cret" } });
  expect(client?.tokenUrl).toBe(textOf(tokenUrl).replace("{region}", "eu"));
});

test("each event of the Onfido integration is one that a webhook can choose", () => {
  const { enum: known } = objectOf(objectOf(objectOf(document["components"])["schemas"])["webhook_event_type"]);
  expect(known).toEqual(expect.arrayContaining(samples.map(([type]) => type)));
});

test.each(samples)("the sample of %s is a payload of Onfido's document", (_type, sample) => {
  // The document requires members of payloads that it does not describe, so that the parts are looked up one by one.
  const { object, ...members } = sample;
  const payload = objectOf(objectOf(objectOf(document["components"])["schemas"])["webhook_event_payload"]);
  expect(Object.keys(objectOf(payload["properties"]))).toEqual(expect.arrayContaining(Object.keys(members)));
  expect(undocumentedObject(document, "webhook_event_payload_object", objectOf(object))).toEqual([]);
});
