import { describe, expect, test } from "vitest";
import {
  createdWebhookSchema,
  createWebhookRequestSchema,
  rotateWebhookSecretRequestSchema,
  updateWebhookRequestSchema,
  webhookSchema,
} from "./webhooks.ts";

const request = { url: "https://example.test/hook", events: ["run_completed", "custom.payment_sent"] };
const creation = { createdBy: "ana", createdAt: "2026-01-31T09:30:00.000Z" };
const webhook = { id: "whk_1", name: "Ledger", ...request, isActive: true, ...creation };

describe("a webhook", () => {
  test("is created from a URL and events alone, and is active", () => {
    expect(createWebhookRequestSchema.parse(request)).toEqual({ ...request, isActive: true });
  });

  test("may be created with a name and inactive", () => {
    const whole = { ...request, name: "Ledger", isActive: false };
    expect(createWebhookRequestSchema.parse(whole)).toEqual(whole);
  });

  test.each([
    { events: request.events },
    { url: request.url },
    { ...request, url: "not a url" },
    { ...request, url: "ftp://example.test/" },
    { ...request, url: "javascript:alert(1)" },
    { ...request, url: "https://example.test/hook\ud800" },
    { ...request, events: [] },
    { ...request, events: ["run_started"] },
    { ...request, events: ["run_failed", "run_failed"] },
    { ...request, events: "run_failed" },
    { ...request, isActive: "yes" },
    { ...request, secret: "whsec_mine" },
  ])("is not created from %j", (body) => {
    expect(createWebhookRequestSchema.safeParse(body).success).toBe(false);
  });

  test("shows its secret in the answer to its creation and nowhere else", () => {
    const created = { ...webhook, secret: "whsec_abc" };
    expect(createdWebhookSchema.parse(created)).toEqual(created);
    expect(createdWebhookSchema.safeParse(webhook).success).toBe(false);
    expect(webhookSchema.parse(webhook)).toEqual(webhook);
    expect(webhookSchema.safeParse(created).success).toBe(false);
  });

  test("is changed field by field, under the rules of its creation", () => {
    expect(updateWebhookRequestSchema.parse({ isActive: false })).toEqual({ isActive: false });
    expect(updateWebhookRequestSchema.parse({})).toEqual({});
    expect(updateWebhookRequestSchema.safeParse({ events: [] }).success).toBe(false);
    expect(updateWebhookRequestSchema.safeParse({ environment: "live" }).success).toBe(false);
  });

  test("signs with its old secret after a rotation only on request", () => {
    expect(rotateWebhookSecretRequestSchema.parse({})).toEqual({ keepOldSecret: false });
  });
});
