import { signWebhook } from "@procedo/webhooks/web";
import { describe, expect, test } from "vitest";
import { checkSignature } from "./signature-check.ts";

const secret = "whsec_present";
const body =
  '{"id":"evt_1","event":"run_failed","createdAt":"2026-11-20T12:00:00.000Z",' +
  '"data":{"runId":"run_1","procedureId":"pay","environment":"live","status":"failed","error":"Two  spaces: \\"1.0\\"."}}';
const signature = await signWebhook({ body, secret });
const other = await signWebhook({ body, secret: "whsec_other" });

describe("a signature that fits", () => {
  test.each([
    ["lines of a log", `Content-Type: application/json\nx-service-signature: ${signature}`],
    ["what curl prints", `> X-Service-Signature: ${signature}\r\n> Host: erp.example`],
    ["arguments of curl", `-H 'Content-Type: application/json' \\\n  -H 'X-Service-Signature: ${signature}' \\`],
    ["JSON", `{\n  "x-service-signature": "${signature}",\n  "host": "erp.example"\n}`],
    ["the value alone", ` ${signature}\n`],
  ])("is found in %s", async (_, headers) => {
    expect(await checkSignature({ headers, body, secret })).toEqual({ fits: true, header: "X-Service-Signature" });
  });

  test("may be by the secret before a rotation", async () => {
    const headers = `X-Service-Signature: ${other}\nX-Service-Signature-Old: ${signature}`;
    expect(await checkSignature({ headers, body, secret })).toEqual({ fits: true, header: "X-Service-Signature-Old" });
  });

  test("may be of a body that is no event", async () => {
    const text = "hello";
    const headers = await signWebhook({ body: text, secret });
    const verdict = await checkSignature({ headers, body: text, secret });
    expect(verdict).toMatchObject({ fits: true, notAnEvent: expect.stringContaining("JSON") as string });
  });
});

describe("a signature that does not fit names the cause", () => {
  test.each([
    ["a missing header", { headers: "Content-Type: application/json" }, /has no X-Service-Signature header/],
    ["digits in upper case", { headers: signature.toUpperCase() }, /64 lower-case hex digits/],
    ["a header sent twice", { headers: `X-Service-Signature: ${signature}\n`.repeat(2) }, /sent twice/],
    ["another secret", { secret: "whsec_other" }, /is of another webhook or was rotated/],
    ["a secret with white space", { secret: `${secret} ` }, /contains white space/],
    ["a line break at the end", { body: `${body}\n` }, /White space was added at the end/],
    ["white space around", { body: `  ${body} ` }, /White space was added around/],
    ["a byte order mark", { body: `\uFEFF${body}` }, /byte order mark/],
    ["a body that was written again", { body: JSON.stringify(JSON.parse(body), undefined, 2) }, /parsed and written/],
    ["a changed body", { body: body.replace("run_1", "run_2") }, /not of this body by this secret/],
  ])("%s", async (_, changed, reason) => {
    const verdict = await checkSignature({ headers: `X-Service-Signature: ${signature}`, body, secret, ...changed });
    expect(verdict).toEqual({ fits: false, reason: expect.stringMatching(reason) as string });
  });
});
