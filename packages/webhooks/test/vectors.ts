/** Digests by `openssl dgst -sha256 -hmac SECRET`, over the exact bytes of each body. */
export interface Vector {
  readonly body: string | Uint8Array;
  readonly signature: string;
}

export const secret = "whsec_dGhlIHNlY3JldCBvZiB0aGUgdmVjdG9ycw";

const origin = `"runId":"run_1","procedureId":"vendor-payment","environment":"live"`;

function envelope(event: string, data: string): string {
  return `{"id":"dlv_1","event":"${event}","createdAt":"2026-11-20T12:00:00.000Z","data":{${origin},${data}}}`;
}

export const completed: Vector = {
  body: envelope("run_completed", `"status":"completed","output":{"paid":true}`),
  signature: "sha256=7ba1ae2eaaccbc79ee4de31cd726cbc0155cd900a27b2334f059424c345dd795",
};

export const failed: Vector = {
  body: envelope("run_failed", `"status":"failed","error":"Rejected: too much"`),
  signature: "sha256=16d99054292f30a349d84dcbde508b66fea6150a1ad0e889c83e90bdfffa30ec",
};

export const reviewRequested: Vector = {
  body: envelope("human_review_requested", `"reviewTitle":"Pay?","reviewData":{"amount":"12.50"}`),
  signature: "sha256=9c37b8f9c9b2946ffcfea81da8b0d2347ffb2d7872c5113a31f7b001a1ce465e",
};

export const custom: Vector = {
  body: envelope("custom.paid", `"payload":{"n":1}`),
  signature: "sha256=0ca2643ff6fa2b46f673ad19b5bc1120f5406da3de527b01c2081496824a68af",
};

/** Events whose bytes do not survive a parse and a second serialisation. */
export const exactBytes: Readonly<Record<string, Vector>> = {
  "letters, emoji and two spellings of an escape": {
    body: envelope("run_completed", `"status":"completed","output":{"name":"Zażółć 👩‍👩‍👧 \\u001b \\u001B"}`),
    signature: "sha256=046dcc684face57c17a8bd5fe0bbb686c20c18fdeae4042d6531fe00bf442fca",
  },
  "an escaped lone surrogate": {
    body: envelope("run_completed", `"status":"completed","output":{"text":"\\uD83D"}`),
    signature: "sha256=08178538c4ad8c2c3231fbcfdeaa851a3dcf178573d0c696c50c1ae03f80ad03",
  },
  "numbers that no double holds": {
    body: envelope("run_completed", `"status":"completed","output":{"n":12345678901234567890.10,"e":1E400, "m":-0}`),
    signature: "sha256=dbd02e5756bbea92dc91837827c849aa40d0b0444b680029629a8913ddaacf82",
  },
  "white space inside and around": {
    body: ` {"id":"dlv_1","event":"run_completed","createdAt":"2026-11-20T12:00:00.000Z","data":{${origin}, "status":"completed",  "output":{}}}\n`,
    signature: "sha256=a42bc3b0fba63666a362bc41f112e76e76356118077511e9f5b6b3869c287cfd",
  },
};

/** Validly signed bodies that are not events. */
export const notEvents: Readonly<Record<string, Vector & { readonly code: "not_json" | "not_an_event" }>> = {
  "an empty body": {
    body: "",
    signature: "sha256=3a4630aa62a12c130ecb04306a94ac51d5f5278de7755b652fd3dca87b3e91d0",
    code: "not_json",
  },
  "a form": {
    body: "ssl_check=1",
    signature: "sha256=698f2a7ab4a20c2d7cdc136a3d72f1298e3e3fdaf7f3e3f91835fbed27d69032",
    code: "not_json",
  },
  "an event after a byte order mark": {
    body: `\uFEFF${envelope("run_completed", `"status":"completed","output":{}`)}`,
    signature: "sha256=eb78806e4d82c1e147410ef3c641635fb57ea19191bda58852754fce8dbd9257",
    code: "not_json",
  },
  "bytes that are not UTF-8": {
    body: invalidUtf8(),
    signature: "sha256=3cc8823b3a170b8e5f137b0136b6cb5400a6c13d9495a5852c252f7021d0617a",
    code: "not_json",
  },
  "an empty object": {
    body: "{}",
    signature: "sha256=e8bb73aa54cec56e3670a406de08186ec9db32268cc0cf2a8dc3b4c49a5f7e1a",
    code: "not_an_event",
  },
};

function invalidUtf8(): Uint8Array {
  const bytes = new TextEncoder().encode(envelope("run_completed", `"status":"completed","output":{"a":"X"}`));
  bytes[bytes.lastIndexOf(0x58)] = 0xff;
  return bytes;
}
