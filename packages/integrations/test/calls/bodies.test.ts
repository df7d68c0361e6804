import type { JsonObject, JsonValue } from "@procedo/contract";
import { cases } from "@procedo-testing/tiers";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { ImportedBody } from "../../src/openapi/imported-api.ts";
import { body, bodyInputs, call, operation } from "./operations.ts";
import { headerOf, recordingServer, type Recorded, type RecordingServer } from "./recording-server.ts";

let server: RecordingServer;
beforeAll(async () => {
  server = await recordingServer();
});
afterAll(() => server.close());
beforeEach(() => {
  server.requests.splice(0);
  server.answers = [{ status: 204 }];
});

async function send(made: ImportedBody, args: JsonObject, inputs = bodyInputs(...Object.keys(args)), key = "key-1") {
  await call(operation({ method: "post", effect: "once", body: made, inputs }), args, { baseUrl: server.origin }, key);
  return server.last();
}

const whole = (mediaType: string, value: JsonValue) =>
  send(body(mediaType, { shape: "whole" }), { body: value }, bodyInputs(""));

const form = (sent: Recorded) => [...new URLSearchParams(sent.body.toString("utf8"))];

describe("JSON", () => {
  test("members keep their types and use their names in the body", async () => {
    const args = { id_body: 7, amount: 9_007_199_254_740_991, note: null, list: [1.5, "a"], deep: { a: [{}] } };
    const inputs = bodyInputs("id", ...Object.keys(args)).map((input) =>
      input.name === "id" ? { ...input, input: "id_body" } : input,
    );
    const sent = await send(
      body("application/json"),
      args,
      inputs.filter(({ name }) => name !== "id_body"),
    );
    expect(headerOf(sent, "content-type")).toEqual(["application/json"]);
    const { id_body, ...others } = args;
    expect(JSON.parse(sent.body.toString("utf8"))).toEqual({ id: id_body, ...others });
    expect(sent.body.toString("utf8")).toContain("9007199254740991");
  });

  test.each([[[1, { a: "ü" }]], ["text"], [null], [7], [false], [{ a: 1 }]])(
    "%j may be the whole body",
    async (value) => {
      const sent = await whole("application/merge-patch+json", value);
      expect(headerOf(sent, "content-type")).toEqual(["application/merge-patch+json"]);
      expect(JSON.parse(sent.body.toString("utf8"))).toEqual(value);
    },
  );

  test("an open body accepts additional arguments", async () => {
    const sent = await send(body("application/json", { open: true }), { a: 1, b: 2 }, bodyInputs("a"));
    expect(JSON.parse(sent.body.toString("utf8"))).toEqual({ a: 1, b: 2 });
  });

  test("without arguments, a body is sent only when it is required", async () => {
    const optional = await send(body("application/json"), {}, bodyInputs("a"));
    expect([optional.body.byteLength, headerOf(optional, "content-type")]).toEqual([0, []]);
    const required = await send(body("application/json", { required: true }), {}, bodyInputs("a"));
    expect(required.body.toString("utf8")).toBe("{}");
  });
});

describe("forms", () => {
  const urlencoded = "application/x-www-form-urlencoded";

  test("scalars, lists that repeat their name, and brackets for nested values", async () => {
    const args = {
      amount: 2000,
      currency: "chf",
      capture: true,
      none: null,
      description: "a & b = ü+1",
      emails: ["a@x", "b@x"],
      metadata: { order: "o-1", "k[1]": "v" },
      line_items: [
        { price: "p1", quantity: 2 },
        { price: "p2", adjustable: { enabled: true } },
      ],
    };
    const sent = await send(body(urlencoded), args);
    expect(headerOf(sent, "content-type")).toEqual([urlencoded]);
    expect(form(sent)).toEqual([
      ["amount", "2000"],
      ["currency", "chf"],
      ["capture", "true"],
      ["description", "a & b = ü+1"],
      ["emails", "a@x"],
      ["emails", "b@x"],
      ["metadata[order]", "o-1"],
      ["metadata[k[1]]", "v"],
      ["line_items[0][price]", "p1"],
      ["line_items[0][quantity]", "2"],
      ["line_items[1][price]", "p2"],
      ["line_items[1][adjustable][enabled]", "true"],
    ]);
  });

  test("a member's own encoding is used", async () => {
    const encoding = (style: "form" | "deepObject" | "pipeDelimited", explode: boolean) => ({
      encoding: { kind: "style", style, explode, allowReserved: false } as const,
    });
    const parts = {
      expand: encoding("deepObject", true),
      ids: encoding("form", false),
      tags: encoding("pipeDelimited", false),
      data: { contentType: "application/json" },
    };
    const args = { expand: ["a", "b"], ids: [1, 2], tags: ["x", "y"], data: { a: [1] } };
    expect(form(await send(body(urlencoded, { parts }), args))).toEqual([
      ["expand[0]", "a"],
      ["expand[1]", "b"],
      ["ids", "1,2"],
      ["tags", "x|y"],
      ["data", '{"a":[1]}'],
    ]);
  });

  test("a member with the name of an inherited property has no accidental encoding", async () => {
    expect(form(await send(body(urlencoded), { constructor: "x", toString: ["y"] }))).toEqual([
      ["constructor", "x"],
      ["toString", "y"],
    ]);
  });

  test("a plain parser reads the given values", async () => {
    const name = fc.string({ unit: "grapheme", minLength: 1, maxLength: 8 }).filter((text) => text !== "__proto__");
    const scalar = fc.oneof(fc.string({ unit: "grapheme" }), fc.integer(), fc.boolean());
    await fc.assert(
      fc.asyncProperty(fc.dictionary(name, fc.oneof(scalar, fc.array(scalar, { minLength: 1 }))), async (args) => {
        const sent = await send(body(urlencoded), args);
        const expected = Object.entries(args).flatMap(([member, value]) =>
          [value].flat().map((one) => [member, String(one)]),
        );
        expect(form(sent)).toEqual(expected);
      }),
      { numRuns: cases({ commit: 30, nightly: 1_000, release: 10_000 }) },
    );
  });
});

describe("multipart", () => {
  const multipart = "multipart/form-data";
  const read = async (sent: Recorded) => {
    const headers = { "content-type": headerOf(sent, "content-type")[0] ?? "" };
    return [...(await new Response(sent.body, { headers }).formData())];
  };

  test("text, JSON and files, as another parser reads them", async () => {
    const parts = { file: { binary: true, contentType: "application/pdf" }, logo: { binary: true } } as const;
    const bytes = Buffer.from([0, 255, 13, 10, 45, 45]);
    const args = {
      purpose: "dispute evidence ü",
      count: 3,
      meta: { a: [1] },
      tags: ["x", "y"],
      file: { base64: bytes.toString("base64"), filename: 'Ä "x"\r\n.pdf' },
      logo: "as text",
    };
    const sent = await send(body(multipart, { parts }), args);
    const entries = await read(sent);
    expect(entries.filter(([, value]) => typeof value === "string")).toEqual([
      ["purpose", "dispute evidence ü"],
      ["count", "3"],
      ["meta", '{"a":[1]}'],
      ["tags", "x"],
      ["tags", "y"],
    ]);
    const [file, logo] = entries.flatMap(([, value]) => (typeof value === "string" ? [] : [value]));
    expect(file?.type).toBe("application/pdf");
    expect(Buffer.from((await file?.arrayBuffer()) ?? new ArrayBuffer())).toEqual(bytes);
    expect([logo?.name, logo?.type, await logo?.text()]).toEqual(["logo", "application/octet-stream", "as text"]);
    const wire = sent.body.toString("utf8");
    expect(wire).toContain('filename="Ä %22x%22%0D%0A.pdf"');
    expect(wire).toContain('name="meta"\r\nContent-Type: application/json\r\n\r\n{"a":[1]}');
    expect(wire).toContain('name="purpose"\r\n\r\ndispute');
  });

  test("a list is joined when the document says so (Swagger 2.0's collectionFormat)", async () => {
    const encoding = { kind: "style", style: "pipeDelimited", explode: false, allowReserved: false } as const;
    const made = body(multipart, { parts: { tags: { encoding } } });
    expect(await read(await send(made, { tags: ["a b", "ü,c"] }))).toEqual([["tags", "a b|ü,c"]]);
    await expect(send(made, { tags: ["a|b"] })).rejects.toMatchObject({ code: "invalid_input" });
  });

  test("a name cannot end its header", async () => {
    const sent = await send(body(multipart), { 'a"\r\nContent-Type: text/html': "x" });
    expect(sent.body.toString("utf8")).toContain('name="a%22%0D%0AContent-Type: text/html"\r\n\r\nx');
  });

  test("each attempt of a call sends the same bytes, and another call sends others", async () => {
    const [first, again, other] = [
      await send(body(multipart), { a: "x" }, undefined, "call-1"),
      await send(body(multipart), { a: "x" }, undefined, "call-1"),
      await send(body(multipart), { a: "x" }, undefined, "call-2"),
    ];
    expect(again.body).toEqual(first.body);
    expect(headerOf(again, "content-type")).toEqual(headerOf(first, "content-type"));
    expect(other.body).not.toEqual(first.body);
  });

  test("the boundary does not occur in the data, even if its author knows the algorithm", async () => {
    const [type = ""] = headerOf(await send(body(multipart), { a: "x" }), "content-type");
    const boundary = type.split("boundary=")[1] ?? "";
    const sent = await send(body(multipart), { a: `--${boundary}--` });
    expect(headerOf(sent, "content-type")[0]).not.toContain(boundary);
    expect(await read(sent)).toEqual([["a", `--${boundary}--`]]);
  });

  test.each([[{ base64: "not base64" }], [{ base64: 5 }], [7], [{ base64: "YQ==", contentType: "a\r\nb: c" }]])(
    "%j is no file, and nothing is sent",
    async (file) => {
      const made = body(multipart, { parts: { file: { binary: true } } });
      await expect(send(made, { file })).rejects.toMatchObject({ code: "invalid_input", sent: "no" });
      expect(server.requests).toEqual([]);
    },
  );
});

describe("other bodies", () => {
  test("text is sent unchanged; a charset is added when ASCII is not enough", async () => {
    const plain = await whole("text/plain", "abc\r\n");
    expect([plain.body.toString("utf8"), headerOf(plain, "content-type")]).toEqual(["abc\r\n", ["text/plain"]]);
    const unicode = await whole("text/csv", "Zürich;1");
    expect([unicode.body.toString("utf8"), headerOf(unicode, "content-type")]).toEqual([
      "Zürich;1",
      ["text/csv; charset=utf-8"],
    ]);
    expect((await whole("application/xml", "<a/>")).body.toString("utf8")).toBe("<a/>");
    expect((await whole("text/plain", 12)).body.toString("utf8")).toBe("12");
  });

  test("bytes are given as base64, with an optional type of their own", async () => {
    const bytes = Buffer.from([0, 1, 254, 255]);
    const sent = await whole("application/octet-stream", { base64: bytes.toString("base64") });
    expect(sent.body).toEqual(bytes);
    expect(headerOf(sent, "content-type")).toEqual(["application/octet-stream"]);
    const typed = await whole("image/*", { base64: bytes.toString("base64"), contentType: "image/png" });
    expect(headerOf(typed, "content-type")).toEqual(["image/png"]);
  });

  test.each([[{ a: 1 }], [[1]], ["\ud800"]])("%j is not a valid body, and nothing is sent", async (value) => {
    await expect(whole("application/octet-stream", value)).rejects.toMatchObject({ code: "invalid_input", sent: "no" });
    expect(server.requests).toEqual([]);
  });
});
