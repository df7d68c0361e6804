import type { JsonValue } from "@procedo/contract";
import { describe, expect, test } from "vitest";
import { serviceReason } from "./service-reason.ts";

describe("a service's reason is found in each usual place", () => {
  test.each<[string, JsonValue, string]>([
    ["a problem (RFC 9457)", { type: "about:blank", title: "Forbidden", detail: "Limit exceeded." }, "Limit exceeded."],
    ["a problem without detail", { type: "x", title: "Out of credit", status: 403 }, "Out of credit"],
    [
      "a problem with its parameters",
      { title: "Invalid", "invalid-params": [{ name: "age", reason: "must be positive" }] },
      "Invalid: age: must be positive",
    ],
    [
      "Stripe",
      { error: { code: "card_declined", message: "Your card was declined.", type: "card_error" } },
      "Your card was declined.",
    ],
    ["OAuth", { error: "invalid_grant", error_description: "The token has expired." }, "The token has expired."],
    ["OAuth, code alone", { error: "invalid_grant" }, "invalid_grant"],
    ["Spring", { timestamp: "2026-01-31", status: 404, error: "Not Found", path: "/x" }, "Not Found"],
    [
      "Nest",
      { statusCode: 400, message: ["a must be set", "b must be set"], error: "Bad Request" },
      "a must be set; b must be set",
    ],
    [
      "FastAPI",
      { detail: [{ loc: ["body", "amount"], msg: "Field required", type: "missing" }] },
      "body.amount: Field required",
    ],
    [
      "Rails",
      { errors: { amount: ["must be positive"], iban: ["is invalid", "is too short"] } },
      "amount: must be positive; iban: is invalid; is too short",
    ],
    ["JSON:API", { errors: [{ status: "422", title: "Invalid", detail: "Amount is zero." }] }, "Amount is zero."],
    ["GraphQL", { errors: [{ message: "Not allowed", path: ["pay"] }] }, "pay: Not allowed"],
    [
      "PayPal",
      {
        name: "UNPROCESSABLE_ENTITY",
        message: "The action failed.",
        details: [{ issue: "X", description: "Currency is not supported." }],
      },
      "The action failed: Currency is not supported.",
    ],
    [
      "Xero",
      {
        Type: "ValidationException",
        Message: "A validation exception occurred",
        Elements: [{ ValidationErrors: [{ Message: "Date is closed" }] }],
      },
      "A validation exception occurred: Date is closed",
    ],
    [
      "QuickBooks",
      { Fault: { Error: [{ Message: "Duplicate", Detail: "Number 7 exists.", code: "6140" }], type: "F" } },
      "Number 7 exists.",
    ],
    ["Salesforce", [{ message: "Row is locked", errorCode: "UNABLE_TO_LOCK_ROW" }], "Row is locked"],
    ["Okta", { errorCode: "E1", errorSummary: "Api validation failed", errorCauses: [] }, "Api validation failed"],
    ["Jira", { errorMessages: ["No such issue."], errors: {} }, "No such issue."],
    ["Plaid", { error_code: "X", error_message: "The item is locked.", display_message: null }, "The item is locked."],
    ["AWS", { __type: "ThrottlingException", Message: "Rate exceeded" }, "Rate exceeded"],
    [
      "Django",
      { amount: ["This field is required."], non_field_errors: ["Too late."], status_code: 400 },
      "amount: This field is required.; non_field_errors: Too late.",
    ],
    [
      "a bank's",
      { reference: { summary: "Must be unique", detail: "R-7 exists already" }, status_code: 400 },
      "reference: R-7 exists already",
    ],
    [
      "words for developers",
      { code: 400, message: "Bad Request", debugInfo: "The group cannot be deleted" },
      "Bad Request: The group cannot be deleted",
    ],
    ["JSON under the label of text", '{"errorMessages":["No such field."],"errors":{}}', "No such field."],
    ["XML without a message", "<hash><errors>Record 7 was not found</errors></hash>", "Record 7 was not found"],
    [
      "Jira, by field",
      { errorMessages: [], errors: { projectId: "The ID of a project has to be provided." } },
      "projectId: The ID of a project has to be provided.",
    ],
    ["a code alone", { errorCode: "INSUFFICIENT_FUNDS" }, "INSUFFICIENT_FUNDS"],
    [
      "the Berlin Group",
      { tppMessages: [{ category: "ERROR", code: "FORMAT_ERROR", text: "The IBAN is wrong." }] },
      "The IBAN is wrong.",
    ],
    ["Adyen", { resultCode: "Refused", refusalReason: "Not enough balance" }, "Not enough balance"],
    ["WeChat", { return_code: "FAIL", return_msg: "Signature error" }, "Signature error"],
    ["a payment's", { status: "FAILED", failure_reason: "The account is closed." }, "The account is closed."],
    ["OData 2", { error: { code: "X/1", message: { lang: "en", value: "No such key." } } }, "No such key."],
    ["OData 3", { "odata.error": { code: "", message: { value: "No such entity." } } }, "No such entity."],
    [
      "Apigee",
      { fault: { faultstring: "Quota violation", detail: { errorcode: "policies.QuotaViolation" } } },
      "Quota violation",
    ],
    ["a currency service", { success: false, error: { code: 101, info: "No access key." } }, "No access key."],
    [
      "SOAP 1.2",
      '<e:Fault><e:Code><e:Value>s</e:Value></e:Code><e:Reason><e:Text xml:lang="en">No account.</e:Text></e:Reason></e:Fault>',
      "No account.",
    ],
    ["XML with unparsed text", "<error><![CDATA[Wrong IBAN]]></error>", "Wrong IBAN"],
    ["a page with characters by number", "<title>It&#39;s &#x22;late&#x22; &#0;</title>", 'It\'s "late" &#0;'],
    ["a text", "  Insufficient\n funds  ", "Insufficient funds"],
    [
      "XML",
      "<?xml version='1.0'?><Error><Code>NoKey</Code><Message>Tom &amp; Co has no key.</Message></Error>",
      "Tom & Co has no key.",
    ],
    [
      "SOAP",
      "<s:Envelope><s:Body><s:Fault><faultstring xml:lang='en'>Closed.</faultstring></s:Fault></s:Body></s:Envelope>",
      "Closed.",
    ],
    [
      "a proxy's page",
      "<html><head><title>413 Request Entity Too Large</title></head><body/></html>",
      "413 Request Entity Too Large",
    ],
  ])("%s", (_service, body, reason) => {
    expect(serviceReason(body)).toBe(reason);
  });
});

test.each<[string, JsonValue]>([
  ["nothing", null],
  ["an empty text", " "],
  ["an empty object", {}],
  ["a number", 42],
  ["flags", { success: false, ok: 0 }],
  ["a page without words", "<html><body><p></p></body></html>"],
])("a response with %s has no reason", (_what, body) => {
  expect(serviceReason(body)).toBeUndefined();
});

test("a hostile body costs no more than reading its beginning", () => {
  const nested = Array.from({ length: 60 }).reduce<JsonValue>((inner) => ({ error: inner }), "deep");
  expect(serviceReason(nested)).toBeUndefined();
  const many = { errors: Array.from({ length: 10_000 }, (_item, index) => ({ message: `m${index}` })) };
  expect(serviceReason(many)?.split("; ")).toHaveLength(10);
  expect(serviceReason("<title".repeat(200_000))).toBeUndefined();
  const names = ["detail", "message", "title", "error", "errors", "details", "issues", "causes", "a", "b"];
  const wide = (depth: number): JsonValue =>
    depth === 0 ? 7 : Object.fromEntries(names.map((name) => [name, wide(depth - 1)]));
  const body = wide(5);
  let looks = 0;
  const counted = (value: JsonValue): JsonValue =>
    typeof value !== "object" || value === null
      ? value
      : new Proxy(value, {
          ownKeys: (target) => ((looks += 1), Reflect.ownKeys(target)),
          get: (target, key) => counted(Reflect.get(target, key) as JsonValue),
        });
  expect(serviceReason(counted(body))).toBeUndefined();
  expect(looks).toBeLessThan(10_000);
});
