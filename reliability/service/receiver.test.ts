import { signatureHeader, signWebhook } from "@procedo/webhooks";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startReceiver, type Receiver } from "./receiver.ts";

const body = JSON.stringify({
  id: "dlv_1",
  event: "custom.paid",
  createdAt: "2026-01-01T00:00:00.000Z",
  data: { runId: "run_1", procedureId: "crash", environment: "sandbox", payload: {} },
});
let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
  receiver.trust("/mine", "whsec_right");
});
afterAll(() => receiver.close());

async function send(path: string, secret: string): Promise<number> {
  const headers = { [signatureHeader]: signWebhook({ body, secret }) };
  return (await fetch(receiver.url + path, { method: "POST", body, headers })).status;
}

test("accepts only signatures by the path's own secret", async () => {
  await send("/mine", "whsec_right");
  await send("/mine", "whsec_wrong");
  await send("/elsewhere", "whsec_right");
  const [right, wrong, elsewhere] = receiver.arrivals;
  expect(right).toMatchObject({ path: "/mine", status: 200, refused: undefined, event: { id: "dlv_1" } });
  expect(wrong).toMatchObject({ event: undefined, refused: expect.stringContaining("signature") });
  expect(elsewhere).toMatchObject({ event: undefined, refused: expect.stringContaining("no webhook") });
  expect(right?.headers).not.toContain("sha256=");
});

test("reports each arrival and each answer, and answers with the given status", async () => {
  const moments: string[] = [];
  receiver.onNext("arrived", () => moments.push("arrived"));
  const answered = new Promise<void>((resolve) => receiver.onNext("answered", resolve));
  receiver.answerWith(() => 503);
  expect(await send("/mine", "whsec_right")).toBe(503);
  await answered;
  expect(moments).toEqual(["arrived"]);
});
