import { ActionError } from "@procedo/engine";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { call, operation } from "./operations.ts";
import { recordingServer, type Answer, type RecordingServer } from "./recording-server.ts";

let server: RecordingServer;
beforeAll(async () => {
  server = await recordingServer();
});
afterAll(() => server.close());
beforeEach(() => {
  server.requests.splice(0);
});

const read = operation();
const write = operation({ method: "post", effect: "once" });

async function answered(answer: Answer, one = read, secrets = {}) {
  server.answers = [answer];
  return call(one, {}, { baseUrl: server.origin, secrets });
}

async function failure(answer: Answer, one = read, secrets = {}): Promise<ActionError> {
  const error: unknown = await answered(answer, one, secrets).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof ActionError) return error;
  throw new Error("The call did not fail as an action does.", { cause: error });
}

describe("JSON is JSON in every charset", () => {
  const text = '{"payee":"Müller & Søn"}';
  const value = { payee: "Müller & Søn" };
  const latin = Buffer.from(text, "latin1");
  const utf16 = Buffer.from(text, "utf16le");
  const bigEndian = Buffer.from(utf16).swap16();
  const [little, big, utf8] = [
    [0xff, 0xfe],
    [0xfe, 0xff],
    [0xef, 0xbb, 0xbf],
  ].map((mark) => Buffer.from(mark));
  const json1 = "application/json;charset=ISO-8859-1";

  test.each<[string, string | undefined, Buffer | undefined, Buffer | string]>([
    ["ISO-8859-1", json1, undefined, latin],
    ["ISO-8859-1, its name in quotes", 'application/json; Charset="iso_8859-1"', undefined, latin],
    ["windows-1252", "application/vnd.acme.v1.json; charset=windows-1252", undefined, latin],
    ["ISO-8859-1 that is not named", "application/json", undefined, latin],
    ["ISO-8859-1 that is called UTF-8", "application/json; charset=utf-8", undefined, latin],
    ["ISO-8859-1 under an unknown name", "application/json; charset=latein", undefined, latin],
    ["UTF-16LE", "application/json; charset=utf-16le", undefined, utf16],
    ["UTF-16BE", "application/json; charset=utf-16be", undefined, bigEndian],
    ["UTF-16LE with a byte order mark", "application/json; charset=utf-16", little, utf16],
    ["UTF-16BE with a byte order mark", "application/json; charset=utf-16", big, bigEndian],
    ["UTF-16BE, whose label names no order", "application/json; charset=utf-16", undefined, bigEndian],
    ["UTF-16LE that is not named", "application/json", undefined, utf16],
    ["UTF-16BE that is called ISO-8859-1", json1, undefined, bigEndian],
    ["UTF-8 with a byte order mark", "application/json", utf8, text],
    ["UTF-8 that is called ISO-8859-1", json1, undefined, text],
    ["UTF-8 that is called ASCII", "application/json; charset=us-ascii", undefined, text],
    ["UTF-8 that is called ISO-8859-15", "application/json; charset=ISO-8859-15", undefined, text],
    ["UTF-8 that is called windows-1254", "application/json; charset=iso-8859-9", undefined, text],
    ["UTF-8 under a name that has no letters", "application/json; charset=x-user-defined", undefined, text],
    ["UTF-8 that is called UTF-16", "application/json; charset=utf-16", undefined, text],
    ["UTF-8 that is called windows-1251, which it is not", "application/json; charset=windows-1251", utf8, text],
    ["UTF-8 under a header that came twice", "application/json, application/json", undefined, text],
    ["UTF-8 without a media type", undefined, undefined, text],
    ["UTF-8 under a word that is not a media type", "json", undefined, text],
    ["ISO-8859-1 without a media type", undefined, undefined, latin],
  ])("%s", async (_name, contentType, mark, body) => {
    const headers = contentType === undefined ? {} : { "content-type": contentType };
    const bytes = Buffer.concat([mark ?? Buffer.alloc(0), Buffer.from(body)]);
    for (const one of [write, read]) {
      const answer = await answered({ headers, body: bytes }, one);
      expect(answer.output).toEqual(value);
      expect(answer.unusable).toBeUndefined();
    }
  });

  test("letters of another alphabet, named by its label", async () => {
    const bytes = Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xc4, 0xe0]), Buffer.from('"}')]);
    const headers = { "content-type": "application/json; charset=windows-1251" };
    expect((await answered({ headers, body: bytes })).output).toEqual({ a: "Да" });
  });

  test.each([
    ["windows-1251", "Оплата проведена"],
    ["gbk", "付款已完成。"],
    ["koi8-r", "Получатель"],
  ])("UTF-8 labelled %s is UTF-8 when it has several different characters", async (charset, words) => {
    const headers = { "content-type": `application/json; charset=${charset}` };
    expect((await answered({ headers, body: JSON.stringify({ words }) }, write)).output).toEqual({ words });
  });

  test.each([
    ["cp932", [0x95, 0x5c], "表"],
    ["MS932", [0x95, 0x5c], "表"],
    ["EUC_JP", [0xc6, 0xfc], "日"],
    ["cp936", [0xc4, 0xe3], "你"],
    ["ISO8859_15", [0xa4], "€"],
    ["iso-8859-2", [0x53, 0x50, 0xd3, 0xa3, 0x4b, 0x41], "SPÓŁKA"],
  ])("the charset is known as %s, too", async (charset, word, expected) => {
    const body = Buffer.concat([Buffer.from('{"a":"'), Buffer.from(word), Buffer.from('"}')]);
    const headers = { "content-type": `application/json; charset=${charset}` };
    expect((await answered({ headers, body }, write)).output).toEqual({ a: expected });
  });

  test("UTF-32 is neither an output nor words", async () => {
    const body = Buffer.from([...'{"a":1}'].flatMap((each) => [0, 0, 0, each.charCodeAt(0)]));
    const { unusable } = await answered({ headers: { "content-type": "application/json" }, body }, write);
    expect(unusable).toContain("is not valid JSON");
  });

  test("a word under the type of JSON is text in its charset", async () => {
    const body = Buffer.from("Überwiesen", "latin1");
    expect(await answered({ headers: { "content-type": json1 }, body }, write)).toMatchObject({ output: "Überwiesen" });
  });

  test("truncated JSON in another charset is not an output", async () => {
    const { unusable } = await answered({ headers: { "content-type": json1 }, body: latin.subarray(0, 12) }, write);
    expect(unusable).toContain("is not valid JSON");
  });

  test("an error's body is recorded as its value, and the beginning of a long one as text", async () => {
    const headers = { "content-type": json1 };
    expect((await failure({ status: 422, headers, body: latin }, write)).failureDetails).toMatchObject({ body: value });
    const long = Buffer.from(JSON.stringify({ reason: "ü".repeat(20_000) }), "latin1");
    const { failureDetails } = await failure({ status: 422, headers, body: long }, write);
    expect(failureDetails).toMatchObject({ body: { beginning: `{"reason":"${"ü".repeat(16_373)}`, bytes: 20_013 } });
  });

  test("a secret is found in JSON of every charset, and in UTF-16 bytes that are not text", async () => {
    const apiKey = "sk_live_ü123456789";
    const echo = (encoding: "latin1" | "utf16le") =>
      Buffer.from(JSON.stringify({ reason: apiKey.repeat(2_000) }), encoding);
    for (const [label, body] of [
      ["iso-8859-1", echo("latin1")],
      ["utf-16", echo("utf16le")],
    ] as const) {
      const headers = { "content-type": `application/json; charset=${label}` };
      const error = await failure({ status: 422, headers, body }, write, { apiKey });
      expect(JSON.stringify(error.failureDetails)).toContain("[redacted][redacted]");
      expect(JSON.stringify(error.failureDetails)).not.toContain("sk_live");
    }
    const headers = { "content-type": "application/octet-stream" };
    const { output } = await answered({ headers, body: Buffer.from(apiKey, "utf16le") }, read, { apiKey });
    expect(Buffer.from((output as { base64: string }).base64, "base64").toString()).toBe("[redacted]");
  });
});

describe("when the document describes JSON, JSON is read under any label", () => {
  const said = operation({ method: "post", effect: "once", answersJson: true });

  test.each<[string, string, unknown]>([
    ["text/plain", '{"id":"p1"}', { id: "p1" }],
    ["text/html; charset=utf-8", ' [{"id":"p1"}]', [{ id: "p1" }]],
    ["text/plain", '"queued"', "queued"],
    ["application/octet-stream", '{"id":"p1"}', { id: "p1" }],
    ["application/vnd.acme.object", '{"id":9007199254740993}', { id: "9007199254740993" }],
    ["text/plain", "007", "007"],
    ["text/plain", "true", "true"],
    ["text/plain", "{not JSON}", "{not JSON}"],
    ["text/csv", '"id","amount"\n', '"id","amount"\n'],
    ["application/pdf", "%PDF", { base64: "JVBERg==", contentType: "application/pdf" }],
  ])("%s %s", async (contentType, body, output) => {
    expect((await answered({ headers: { "content-type": contentType }, body }, said)).output).toEqual(output);
  });

  test("but not when the document does not", async () => {
    const headers = { "content-type": "text/plain; charset=utf-8" };
    expect((await answered({ headers, body: '{"id":1}' }, write)).output).toBe('{"id":1}');
  });

  test.each(["application/vnd.acme.v1.json", "application/x-json", "text/json", "application/x-amz-json-1.1"])(
    "under %s it is JSON in any case",
    async (contentType) => {
      expect((await answered({ headers: { "content-type": contentType }, body: '{"id":1}' })).output).toEqual({
        id: 1,
      });
    },
  );

  test.each(["application/x-ndjson", "application/stream+json"])("several values under %s are text", async (type) => {
    const body = '{"id":1}\n{"id":2}\n';
    expect(await answered({ headers: { "content-type": type }, body }, write)).toMatchObject({ output: body });
  });
});

describe("text is read in the charset of its label", () => {
  test.each<[string, string, "utf16le" | "latin1", string]>([
    ["utf-16le", "Оплата", "utf16le", "Оплата"],
    ["utf-16", "Счёт 7", "utf16le", "Счёт 7"],
    ["utf-16le", "Αθήνα", "utf16le", "Αθήνα"],
    ["iso-8859-15", "Müller", "latin1", "Müller"],
  ])("%s: %s", async (charset, words, encoding, expected) => {
    const headers = { "content-type": `text/plain; charset=${charset}` };
    expect((await answered({ headers, body: Buffer.from(words, encoding) })).output).toBe(expected);
  });

  test("except plain UTF-8 labelled UTF-16", async () => {
    const headers = { "content-type": "text/plain; charset=utf-16" };
    expect((await answered({ headers, body: "paid;\n42\t" })).output).toBe("paid;\n42\t");
  });
});
