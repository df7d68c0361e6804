import type { ImportedOperation } from "@procedo/integrations/openapi";
import { describe, expect, test } from "vitest";
import { importFile, pathOf, type Imported } from "./shared-documents.ts";

const cache = new Map<string, Imported>();
function imported(file: string): Imported {
  const known = cache.get(file) ?? importFile(pathOf("real", file));
  cache.set(file, known);
  return known;
}

function operationsOf(file: string): readonly ImportedOperation[] {
  return imported(file).api?.operations ?? [];
}

function operation(file: string, name: string): ImportedOperation {
  const found = operationsOf(file).find((one) => one.name === name);
  if (found === undefined) throw new Error(`${file} gives no action "${name}".`);
  return found;
}

const places = ({ inputs }: ImportedOperation) => inputs.map(({ in: place, input, name }) => [place, input, name]);

const stripe = "stripe-spec3-2022-04-12.json";
const slack = "slack-web-openapi-v2.json";
const petstore = "petstore-openapi.yaml";
const paypal = "paypal-checkout-orders-v2.json";
const xero = "xero-accounting.yaml";
const adyen = "adyen-checkout-v32-swagger2.yaml";
const uspto = "oai-uspto.yaml";
const digitalocean = "digitalocean-root-external-refs.yaml";

describe("documents as their publishers wrote them: every operation is an action", () => {
  test.each([
    [stripe, 417, 15, "https://api.stripe.com/"],
    [slack, 174, 0, "https://slack.com/api"],
    [petstore, 19, 0, "https://petstore3.swagger.io/api/v3"],
    [paypal, 8, 0, "https://api-m.sandbox.paypal.com"],
    [xero, 235, 0, "https://api.xero.com/api.xro/2.0"],
    [adyen, 5, 0, "https://checkout-test.adyen.com/services/PaymentSetupAndVerification/v32"],
    [uspto, 3, 0, "https://developer.uspto.gov/ds-api"],
  ])("%s: %i operations, %i of them deprecated, below %s", (file, operations, deprecated, baseUrl) => {
    const { api, problems } = imported(file);
    expect(api?.baseUrl).toBe(baseUrl);
    expect(api?.operations).toHaveLength(operations);
    expect(new Set(api?.operations.map(({ name }) => name)).size).toBe(operations);
    expect(api?.operations.filter((one) => one.deprecated)).toHaveLength(deprecated);
    expect(problems.filter(({ severity }) => severity === "error")).toEqual([]);
  });

  test(`${digitalocean}: each of its operations is in another file, which is reported and not opened`, () => {
    const { api, problems } = imported(digitalocean);
    expect(api).toBeUndefined();
    const external = problems.filter(({ message }) => message.includes("leads out of the document"));
    expect(external.length).toBeGreaterThan(400);
    expect(external[0]).toMatchObject({
      severity: "error",
      pointer: "/paths/~1v2~11-clicks/get/$ref",
      line: 733,
      message: expect.stringContaining('"resources/1-clicks/oneClicks_list.yml"') as string,
    });
    // At most 500 are listed, and the last one states the total.
    expect(problems.length).toBeLessThanOrEqual(501);
    expect(problems.at(-1)?.message).toMatch(/\d+ more/);
  });
});

describe("the peculiarities of each document", () => {
  test("stripe: bodies are forms, an empty declared form has no inputs, and names of any length are kept", () => {
    const withBody = operationsOf(stripe).filter(({ body }) => body !== undefined);
    expect(new Set(withBody.map(({ body }) => body?.mediaType))).toEqual(
      new Set(["application/x-www-form-urlencoded", "multipart/form-data"]),
    );
    const reads = operationsOf(stripe).filter(({ method }) => method === "get");
    expect(reads.length).toBeGreaterThan(190);
    expect(reads.filter(({ body }) => body !== undefined)).toEqual([]);
    expect(
      operationsOf(stripe)
        .filter(({ name }) => name.length > 64)
        .map(({ name }) => name),
    ).toEqual(["DeleteCustomersCustomerSubscriptionsSubscriptionExposedIdDiscount"]);
  });

  test("stripe: the separate server of the file upload is ignored, and reported", () => {
    expect(operation(stripe, "PostFiles").body?.mediaType).toBe("multipart/form-data");
    const { problems } = imported(stripe);
    expect(problems.map(({ pointer, message }) => [pointer, message.includes("https://files.stripe.com/")])).toEqual([
      ["/paths/~1v1~1files/post/servers", true],
    ]);
  });

  test("stripe: each schema is self-contained and bounded", () => {
    for (const { name, input, output } of operationsOf(stripe)) {
      for (const schema of [input, output ?? {}]) {
        const text = JSON.stringify(schema);
        const refs = [...text.matchAll(/"\$ref":"(#\/\$defs\/[^"]*)"/g)].map(([, ref = ""]) =>
          ref.slice("#/$defs/".length),
        );
        const definitions = new Set(Object.keys((schema["$defs"] ?? {}) as object));
        expect(
          refs.filter((ref) => !definitions.has(ref)),
          name,
        ).toEqual([]);
      }
    }
  });

  test("slack: form members and headers are inputs; the token is an ordinary input until a connection supplies it", () => {
    const post = operation(slack, "chat_postMessage");
    expect(post).toMatchObject({ method: "post", path: "/chat.postMessage", effect: "once" });
    expect(places(post).slice(0, 2)).toEqual([
      ["header", "token", "token"],
      ["body", "as_user", "as_user"],
    ]);
    expect(post.input["required"]).toEqual(["token", "channel"]);
  });

  test("petstore: JSON is chosen of several media types, and a name in path and body becomes two inputs", () => {
    const update = operation(petstore, "updateUser");
    expect(update.body?.mediaType).toBe("application/json");
    expect(places(update).slice(0, 3)).toEqual([
      ["path", "username_path", "username"],
      ["body", "id", "id"],
      ["body", "username_body", "username"],
    ]);
    expect(operation(petstore, "uploadFile").body).toMatchObject({
      mediaType: "application/octet-stream",
      shape: "whole",
    });
    expect(operation(petstore, "createUsersWithListInput").input).toMatchObject({
      properties: { body: { type: "array" } },
    });
  });

  test("paypal: names with dots, the first server, patches as one input, required members of an allOf", () => {
    expect(operationsOf(paypal).map(({ name }) => name)).toEqual([
      "orders.create",
      "orders.get",
      "orders.patch",
      "orders.confirm",
      "orders.authorize",
      "orders.capture",
      "orders.track.create",
      "orders.trackers.patch",
    ]);
    expect(operation(paypal, "orders.patch").body).toMatchObject({ mediaType: "application/json", shape: "whole" });
    expect(operation(paypal, "orders.track.create").input["required"]).toEqual(
      expect.arrayContaining(["id", "transaction_id", "status", "capture_id"]),
    );
  });

  test("xero: parameters of the path, a required header, lists in one parameter, files as bodies", () => {
    expect(operationsOf(xero).filter(({ inputs }) => !inputs.some(({ name }) => name === "xero-tenant-id"))).toEqual(
      [],
    );
    const ids = operation(xero, "getInvoices").inputs.find(({ name }) => name === "IDs");
    expect(ids).toMatchObject({ in: "query", encoding: { style: "form", explode: false } });
    const bodies = operationsOf(xero).filter(({ body }) => body?.mediaType === "application/octet-stream");
    expect(bodies.length).toBeGreaterThan(15);
    expect(operation(xero, "createTrackingOptions").inputs.map(({ input }) => input)).toContain(
      "TrackingCategoryID_path",
    );
    const both = operationsOf(xero).filter(({ inputs }) => inputs.some(({ input }) => input.endsWith("_path")));
    expect(both).toHaveLength(3);
  });

  test("adyen: without operationIds, method and path are the names, with unchanged letters", () => {
    expect(operationsOf(adyen).map(({ name, operationId }) => [name, operationId])).toEqual([
      ["post_paymentMethods", undefined],
      ["post_payments", undefined],
      ["post_payments_details", undefined],
      ["post_setup", undefined],
      ["post_verify", undefined],
    ]);
    const payment = operation(adyen, "post_payments").input;
    expect(payment["required"]).toEqual(expect.arrayContaining(["amount", "merchantAccount", "reference"]));
  });

  test("uspto: dashes in a name, a server with variables, a form as body", () => {
    const search = operation(uspto, "perform-search");
    expect(search.body?.mediaType).toBe("application/x-www-form-urlencoded");
    expect(search.input["required"]).toEqual(expect.arrayContaining(["criteria"]));
  });
});
