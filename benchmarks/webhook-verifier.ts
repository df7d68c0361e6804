import { createHmac } from "node:crypto";
import { performance } from "node:perf_hooks";
import process from "node:process";
import { signWebhook, verifyWebhook } from "@procedo/webhooks";
import { median } from "./closed-loop.ts";

/** The unavoidable work of a receiver: the HMAC of the bytes and the parse. Nothing is compared or checked. */
function bareMinimum(body: Uint8Array, secret: string): unknown {
  createHmac("sha256", secret).update(body).digest();
  return JSON.parse(body.toString());
}

const bodyBytes = 2_000;
const rounds = 61;
const perRound = 1_000;

const secret = "whsec_4mPq0R8sT1uVwXyZ2a3B5c7D9e0FgHjKlMnOpQrStUv";
const body = bodyOf(bodyBytes);
const signature = signWebhook({ body, secret });

const ratios: number[] = [];
const ceilings: number[] = [];
for (let round = 0; round < rounds; round += 1) {
  const both = [
    () => perSecond(() => bareMinimum(body, secret)),
    () => perSecond(() => verifyWebhook({ body, signature, secret })),
  ] as const;
  // Alternately, so that neither always runs after the other.
  const [first, second] = round % 2 === 0 ? both : ([both[1], both[0]] as const);
  const figures = [first(), second()];
  const [ceiling = NaN, own = NaN] = round % 2 === 0 ? figures : figures.reverse();
  ceilings.push(ceiling);
  ratios.push(own / ceiling);
}

const ratio = median(ratios.slice(1));
process.stdout.write(
  `webhook verifier, ${body.length} B: ${(median(ceilings.slice(1)) * ratio).toFixed(0)} verified/s, ` +
    `${ratio.toFixed(2)} of createHmac + JSON.parse (floor 0.80, goal 0.95)\n`,
);
process.exitCode = ratio >= 0.8 ? 0 : 1;

/** Calls per second over one round. */
function perSecond(call: () => unknown): number {
  const begin = performance.now();
  for (let n = 0; n < perRound; n += 1) call();
  return perRound / ((performance.now() - begin) / 1_000);
}

/** A completed run's envelope of exactly this many bytes. */
function bodyOf(length: number): Buffer {
  const lines: unknown[] = [];
  const text = (filler: string): string =>
    JSON.stringify({
      id: "dlv_01JD3Q9W8X7Y6Z5A4B3C2D1E0F",
      event: "run_completed",
      createdAt: "2026-11-20T12:00:00.000Z",
      data: {
        runId: "run_01JD3Q9W8X7Y6Z5A4B3C2D1E0F",
        procedureId: "vendor-payment",
        environment: "live",
        status: "completed",
        output: { lines, filler },
      },
    });
  while (text("").length < length - 100) {
    lines.push({
      invoice: `INV-${lines.length}`,
      vendor: "Müller GmbH",
      amount: "1250.00",
      currency: "EUR",
      paid: true,
    });
  }
  const short = Buffer.byteLength(text(""));
  return Buffer.from(text("x".repeat(Math.max(0, length - short))));
}
