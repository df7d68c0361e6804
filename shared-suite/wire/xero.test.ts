import type { JsonObject } from "@procedo/contract";
import { afterAll, beforeAll, describe, test } from "vitest";
import { callKey, openCalling, type Calling } from "../calling.ts";
import { pathOf, textOf } from "../shared-documents.ts";
import { expectRequest, type Demanded } from "./expect-request.ts";

let calling: Calling;
beforeAll(async () => {
  calling = await openCalling(textOf(pathOf("real", "xero-accounting.yaml")), {
    authentication: { method: "bearer_token" },
    secrets: { token: "eyJ" },
    idempotencyHeader: "Idempotency-Key",
  });
});
afterAll(() => calling.close());

const tenant = { "xero-tenant-id": "t-1" };
const reading = { authorization: "Bearer eyJ", ...tenant };
const writing = { ...reading, "idempotency-key": callKey };
const [first, second] = ["00000000-0000-0000-0000-000000000001", "00000000-0000-0000-0000-000000000002"];

const calls: readonly (readonly [name: string, args: JsonObject, demanded: Demanded])[] = [
  [
    // Lists in one parameter each, a filter with many reserved characters, a date in a header.
    "getInvoices",
    {
      ...tenant,
      "If-Modified-Since": "2020-02-06T12:17:43.202-08:00",
      where: 'Status=="DRAFT" AND Total>=10',
      IDs: [first, second],
      Statuses: ["DRAFT", "SUBMITTED"],
      page: 1,
      includeArchived: true,
    },
    {
      method: "GET",
      path: "/Invoices",
      query: [
        ["where", 'Status=="DRAFT" AND Total>=10'],
        ["IDs", `${first},${second}`],
        ["Statuses", "DRAFT,SUBMITTED"],
        ["page", "1"],
        ["includeArchived", "true"],
      ],
      headers: { ...reading, "if-modified-since": "2020-02-06T12:17:43.202-08:00" },
    },
  ],
  [
    // PUT creates here; a query parameter beside a nested body.
    "createInvoices",
    {
      ...tenant,
      summarizeErrors: false,
      Invoices: [{ Type: "ACCREC", LineItems: [{ Quantity: 1, UnitAmount: 20.5 }] }],
    },
    {
      method: "PUT",
      path: "/Invoices",
      query: [["summarizeErrors", "false"]],
      headers: writing,
      json: { Invoices: [{ Type: "ACCREC", LineItems: [{ Quantity: 1, UnitAmount: 20.5 }] }] },
    },
  ],
  [
    // A file as the body, with special characters in its name.
    "createInvoiceAttachmentByFileName",
    {
      ...tenant,
      InvoiceID: first,
      FileName: "rechnung 1/2 (ä).pdf",
      IncludeOnline: true,
      body: { base64: Buffer.from("%PDF-1").toString("base64") },
    },
    {
      method: "PUT",
      path: `/Invoices/${first}/Attachments/rechnung%201%2F2%20%28%C3%A4%29.pdf`,
      query: [["IncludeOnline", "true"]],
      headers: writing,
      bytes: { contentType: "application/octet-stream", content: "%PDF-1" },
    },
  ],
  // The header is required on every operation, from the path's own parameters.
  [
    "getInvoiceAsPdf",
    { ...tenant, InvoiceID: first },
    { method: "GET", path: `/Invoices/${first}/pdf`, headers: reading },
  ],
  // Two paths with the same address: the action distinguishes them.
  [
    "getContactByContactNumber",
    { ...tenant, ContactNumber: "SB2" },
    { method: "GET", path: "/Contacts/SB2", headers: reading },
  ],
  [
    // The same name in path and body.
    "createTrackingOptions",
    { ...tenant, TrackingCategoryID_path: first, Name: "Blue", Status: "ACTIVE" },
    {
      method: "PUT",
      path: `/TrackingCategories/${first}/Options`,
      headers: writing,
      json: { Name: "Blue", Status: "ACTIVE" },
    },
  ],
  [
    "deleteContactGroupContact",
    { ...tenant, ContactGroupID: first, ContactID: second },
    { method: "DELETE", path: `/ContactGroups/${first}/Contacts/${second}`, headers: writing },
  ],
  [
    "getReportAgedPayablesByContact",
    { ...tenant, contactId: first, date: "2026-01-31", fromDate: "2026-01-01" },
    {
      method: "GET",
      path: "/Reports/AgedPayablesByContact",
      query: [
        ["contactId", first],
        ["date", "2026-01-31"],
        ["fromDate", "2026-01-01"],
      ],
      headers: reading,
    },
  ],
  [
    // A POST that deletes, with the id in the body.
    "deleteBatchPayment",
    { ...tenant, BatchPaymentID: first, Status: "DELETED" },
    { method: "POST", path: "/BatchPayments", headers: writing, json: { BatchPaymentID: first, Status: "DELETED" } },
  ],
  [
    // A parameter called contentType is an ordinary header.
    "getContactAttachmentByFileName",
    { ...tenant, ContactID: first, FileName: "a.png", contentType: "image/png" },
    {
      method: "GET",
      path: `/Contacts/${first}/Attachments/a.png`,
      headers: { ...reading, contenttype: "image/png" },
    },
  ],
];

describe("xero: ten peculiar operations, as received by a server", () => {
  test.each(calls)("%s", async (name, args, demanded) => {
    await expectRequest(await calling.send(name, args), demanded);
  });
});
