import { afterAll, beforeAll, expect, test } from "vitest";
import { auditPageSchema } from "@procedo/contract";
import { createLog } from "../src/observe/log.ts";
import { openToServe } from "../src/open-data.ts";
import { readSettings } from "../src/settings/settings.ts";
import { payment } from "./bank.ts";
import { fileWith, makePlace, procedo, procedoJson, type Place } from "./server-process.ts";

let place: Place;
beforeAll(async () => {
  place = makePlace();
  // Commands work on the data of a server that was started once.
  const { storage } = await openToServe(readSettings(place.env), createLog("silent"));
  await storage.close();
  const file = fileWith(place, "payment.json", payment);
  for (const version of ["1", "2"]) await procedo(place, "procedures", "publish", file, "--version", version);
  for (const environment of ["sandbox", "live"]) {
    await procedo(place, "keys", "create", "--name", "k", "--environment", environment);
  }
});
afterAll(() => place.remove());

const list = async (...flags: readonly string[]) =>
  auditPageSchema.parse(await procedoJson(place, "audit", "list", ...flags));

test("audit list prints the changes of the workspace, newest first, in the contract's form", async () => {
  const { data } = await list();
  expect(data.map(({ seq, action }) => [seq, action])).toEqual([
    [4, "api_key.created"],
    [3, "api_key.created"],
    [2, "procedure.published"],
    [1, "procedure.published"],
  ]);
});

test("audit list continues after a page, and filters", async () => {
  const published = ["--action", "procedure.published", "--person", "Operator", "--limit", "1"];
  const first = await list(...published);
  expect(first.data.map(({ subject }) => subject)).toEqual(["payment@2"]);
  const second = await list(...published, "--cursor", first.nextCursor ?? "");
  expect(second.data.map(({ subject }) => subject)).toEqual(["payment@1"]);
  expect((await list("--subject", "payment@1")).data).toHaveLength(1);
  expect((await list("--environment", "live")).data.map(({ seq }) => seq)).toHaveLength(3);
  expect((await list("--from", "2999-01-01")).data).toEqual([]);
  expect((await list("--to", "2999-01-01T00:00:00Z")).data).toHaveLength(4);
});

test("audit list prints a table, and refuses a time that is none", async () => {
  const { code, out } = await procedo(place, "audit", "list");
  expect(code).toBe(0);
  expect(out).toMatch(/^SEQ +TIME +ACTION +BY +SUBJECT\n4 +\S+Z +api_key\.created +operator +live\/key_/);
  const wrong = await procedo(place, "audit", "list", "--from", "soon");
  expect([wrong.code === 0, wrong.err]).toEqual([false, expect.stringContaining('"soon" is not a date')]);
});
