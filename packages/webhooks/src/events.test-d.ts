import type { IncomingMessage } from "node:http";
import { expectTypeOf, test } from "vitest";
import type { JsonObject } from "./events.ts";
import { isValidSignature, verifyWebhook } from "./verify-webhook.ts";
import * as web from "./web.ts";

const secret = "whsec_secret";

test("an event narrows by its name", () => {
  const event = verifyWebhook({ body: "", signature: "", secret });
  if (event.event === "run_completed") expectTypeOf(event.data.output).toEqualTypeOf<JsonObject>();
  else if (event.event === "run_failed") expectTypeOf(event.data.error).toEqualTypeOf<string>();
  else if (event.event === "human_review_requested") expectTypeOf(event.data.reviewTitle).toEqualTypeOf<string>();
  else {
    expectTypeOf(event.event).toEqualTypeOf<`custom.${string}`>();
    expectTypeOf(event.data.payload).toEqualTypeOf<JsonObject>();
  }
});

test("accepts headers in the forms of Node and of Headers", () => {
  const signature = ({} as IncomingMessage).headers["x-service-signature"];
  expectTypeOf(isValidSignature({ body: Buffer.alloc(0), signature, secret })).toEqualTypeOf<boolean>();
  expectTypeOf(
    web.isValidSignature({ body: new ArrayBuffer(0), signature: new Headers().get("x"), secret: [secret] }),
  ).toEqualTypeOf<Promise<boolean>>();
});

test("accepts no parsed body and no secret that may be undefined", () => {
  // @ts-expect-error a parsed body
  verifyWebhook({ body: { event: "run_completed" }, signature: "", secret });
  // @ts-expect-error a variable that may not be set
  verifyWebhook({ body: "", signature: "", secret: ({} as Record<string, string | undefined>)["SECRET"] });
});

test("the two entry points differ only in the promise", () => {
  expectTypeOf(web.verifyWebhook).parameters.toEqualTypeOf<Parameters<typeof verifyWebhook>>();
  expectTypeOf<Awaited<ReturnType<typeof web.verifyWebhook>>>().toEqualTypeOf<ReturnType<typeof verifyWebhook>>();
});
