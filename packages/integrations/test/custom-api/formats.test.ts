import type { JsonObject } from "@procedo/contract";
import { customApiSettingsSchema } from "@procedo/contract";
import type { Action } from "@procedo/engine";
import { describe, expect, test } from "vitest";
import { customApi } from "../../src/custom-api/custom-api.ts";
import { ready } from "./documents.ts";

const text = (format: string, more: JsonObject = {}): JsonObject => ({ type: "string", format, ...more });
const slot = { type: "object", properties: { begins: text("time"), days: { type: "array", items: text("date") } } };
const booking = {
  type: "object",
  properties: {
    at: text("date-time", { description: "When it begins." }),
    slot: { $ref: "#/components/schemas/Slot" },
    document: text("byte", { nullable: true }),
  },
};
const json = (schema: JsonObject): JsonObject => ({ content: { "application/json": { schema } } });
const document = JSON.stringify({
  openapi: "3.0.3",
  info: { title: "Bookings", version: "1" },
  servers: [{ url: "https://bookings.example.com" }],
  paths: {
    "/bookings": {
      post: {
        operationId: "book",
        parameters: [{ name: "from", in: "query", schema: text("date-time") }],
        requestBody: json(booking),
        responses: { "201": { description: "Booked", ...json(booking) } },
      },
    },
  },
  components: { schemas: { Slot: slot } },
});

async function bookOf(formats?: JsonObject): Promise<Action> {
  const settings = { spec: { text: document }, ...(formats === undefined ? {} : { formats }) };
  const { connection } = await ready({ settings });
  const book = (await customApi().actions(connection)).get("book");
  if (book === undefined) throw new Error("There is no action.");
  return book;
}

const local = "2026-01-31T09:00:00";
const offset = `${local}+01:00`;

describe("a connection to a service with its own formats", () => {
  test.each<[JsonObject, readonly JsonObject[], readonly JsonObject[]]>([
    [
      { "date-time": ["local"] },
      [{ at: local, from: local }, { at: `${local}.123` }],
      [{ at: offset }, { from: `${local}Z` }, { at: "2026-02-30T09:00:00" }, { at: "2026-01-31" }],
    ],
    [{ "date-time": ["offset", "local"] }, [{ at: local }, { at: offset }], [{ at: "tomorrow" }]],
    [
      { time: ["short"] },
      [{ slot: { begins: "10:30" } }],
      [{ slot: { begins: "10:30:00Z" } }, { slot: { begins: "25:00" } }],
    ],
    [{ time: ["local"] }, [{ slot: { begins: "10:30:00" } }], [{ slot: { begins: "10:30" } }]],
    [
      { byte: ["base64url"] },
      [{ document: "-_8" }, { document: "-_8=" }, { document: null }],
      [{ document: "+/8=" }, { document: "-_8==" }, { document: "a" }],
    ],
    [{ byte: ["base64", "base64url"] }, [{ document: "-_8" }, { document: "+/8=" }], [{ document: "ä" }]],
  ])("checks arguments against them: %j", async (formats, fits, doesNot) => {
    const book = await bookOf(formats);
    for (const args of fits) expect(book.check(args), JSON.stringify(args)).toEqual([]);
    for (const args of doesNot) expect(book.check(args), JSON.stringify(args)).not.toEqual([]);
  });

  test("shows them in the schemas of the action, with an example in words", async () => {
    const book = await bookOf({ "date-time": ["local"], time: ["short", "local"] });
    expect(book.input).toMatchObject({
      properties: {
        from: { format: "date-time-local", description: "Written as 2026-01-31T09:00:00, without an offset." },
        at: { description: "When it begins. Written as 2026-01-31T09:00:00, without an offset." },
      },
      $defs: { Slot: { properties: { begins: { anyOf: [{ format: "time-short" }, { format: "time-local" }] } } } },
    });
    expect(book.output).toMatchObject({ properties: { at: { format: "date-time-local" } } });
  });

  test("changes the revision of an action that uses them, so that an approved call is sent as shown", async () => {
    expect((await bookOf({ "date-time": ["local"] })).revision).not.toBe((await bookOf()).revision);
    expect((await bookOf({})).revision).toBe((await bookOf()).revision);
  });

  test("stores the setting with the connection", async () => {
    const formats = { "date-time": ["local"] };
    const { connection } = await ready({ settings: { spec: { text: document }, formats } });
    expect(connection.settings["formats"]).toEqual(formats);
  });
});

test("without the setting, the standard formats are checked", async () => {
  const book = await bookOf();
  expect(book.check({ at: offset, slot: { begins: "10:30:00Z" }, document: "+/8=" })).toEqual([]);
  for (const args of [{ at: local }, { slot: { begins: "10:30" } }, { document: "-_8" }]) {
    expect(book.check(args)).not.toEqual([]);
  }
});

test.each([{ "date-time": [] }, { "date-time": ["short"] }, { date: ["local"] }, { time: "short" }])(
  "a form that is not known is refused: %j",
  (formats) => {
    expect(customApiSettingsSchema.safeParse({ spec: { text: "x" }, formats }).success).toBe(false);
  },
);
