import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { headerOf } from "../packages/integrations/test/calls/recording-server.ts";
import { openCalling, type Calling } from "./calling.ts";
import { pathOf, textOf } from "./shared-documents.ts";

let calling: Calling;
beforeAll(async () => {
  calling = await openCalling(textOf(pathOf("invalid", "36-ok-body-shapes.yaml")));
});
afterAll(() => calling.close());

describe("36-ok-body-shapes.yaml: the sent requests", () => {
  test.each([
    ["arrayBody", { body: [{ sku: "a" }] }, "application/json", '[{"sku":"a"}]'],
    ["stringBody", { body: "plain" }, "text/plain", "plain"],
    ["oneOfBody", { kind: "sepa", iban: "DE1" }, "application/json", '{"kind":"sepa","iban":"DE1"}'],
    ["allOfBody", { currency: "EUR", amount: 1 }, "application/json", '{"currency":"EUR","amount":1}'],
    ["nullableBody", { memo: null }, "application/json", '{"memo":null}'],
    [
      "formBody",
      { amount: 1, tags: ["a", "b"], meta: { k: "v" } },
      "application/x-www-form-urlencoded",
      "amount=1&tags=a%2Cb&meta%5Bk%5D=v",
    ],
    ["severalTypes", { sku: "a" }, "application/json", '{"sku":"a"}'],
    ["mapBody", { a: 1, b: 2 }, "application/json", '{"a":1,"b":2}'],
    ["optionalBody", { sku: "a" }, "application/json", '{"sku":"a"}'],
  ])("%s", async (name, args, mediaType, body) => {
    const sent = await calling.send(name, args);
    expect(sent.method).toBe("POST");
    expect(headerOf(sent, "content-type")).toEqual([mediaType]);
    if (mediaType === "application/json") expect(JSON.parse(sent.body.toString())).toEqual(JSON.parse(body));
    else expect(decodeURIComponent(sent.body.toString())).toBe(decodeURIComponent(body));
  });

  test("multipartBody: a file with its name, and the other part as JSON", async () => {
    const file = {
      base64: Buffer.from("of a file").toString("base64"),
      filename: "note.txt",
      contentType: "text/plain",
    };
    const sent = await calling.send("multipartBody", { file, info: { a: "b" } });
    const contentType = headerOf(sent, "content-type")[0] ?? "";
    const form = await new Response(sent.body, { headers: { "content-type": contentType } }).formData();
    const part = form.get("file");
    if (!(part instanceof File)) throw new Error("The file was sent as text.");
    expect([part.name, part.type, await part.text()]).toEqual(["note.txt", "text/plain", "of a file"]);
    expect(sent.body.toString()).toContain('Content-Type: application/json\r\n\r\n{"a":"b"}');
  });

  test.each([
    ["emptyContent", "POST"],
    ["getWithBody", "GET"],
  ])("%s: has no body", async (name, method) => {
    const sent = await calling.send(name, {});
    expect([sent.method, sent.body.byteLength]).toEqual([method, 0]);
    expect(headerOf(sent, "content-type")).toEqual([]);
  });

  test("queryStyles: each parameter in its style", async () => {
    const sent = await calling.send("queryStyles", {
      a: ["1", "2"],
      b: ["1", "2"],
      c: ["1", "2"],
      d: ["1", "2"],
      e: { gte: 1, lte: 2 },
      f: { x: 1 },
      "g[]": ["1", "2"],
      h: "a/b?c=d",
      sess: "s1",
      "X-List": [1, 2],
    });
    expect(sent.query).toEqual([
      ["a", "1"],
      ["a", "2"],
      ["b", "1,2"],
      ["c", "1 2"],
      ["d", "1|2"],
      ["e[gte]", "1"],
      ["e[lte]", "2"],
      ["f", '{"x":1}'],
      ["g[]", "1"],
      ["g[]", "2"],
      ["h", "a/b?c=d"],
    ]);
    expect(sent.target).toContain("h=a/b?c=d");
    expect(sent.target).toContain("f=%7B%22x%22%3A1%7D");
    expect(headerOf(sent, "cookie")).toEqual(["sess=s1"]);
    expect(headerOf(sent, "x-list")).toEqual(["1,2"]);
  });
});
