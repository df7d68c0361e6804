import { expect, test } from "vitest";
import type { Trigger, TriggerSource } from "../api/models.ts";
import { formField } from "../forms/form-field.ts";
import { bodyOf, changedMembers, draftOf, newDraft, overlapOf, requestMembers, sourceOf } from "./trigger-draft.ts";

const zone = "Europe/Berlin";
const field = formField({ type: "object", properties: { amount: { type: "integer" } } }, "Input", true);
const body = { by: "body", within: "PT1H" } as const;

const sources: readonly TriggerSource[] = [
  {
    kind: "schedule",
    cron: "30 6 * * 1-5",
    timeZone: "America/New_York",
    startsAt: "2026-11-01T05:30:00.000Z",
    endsAt: null,
    spread: "PT5M",
    catchUp: "all",
    catchUpWithin: "P7D",
  },
  { kind: "integration", connection: "ledger", events: ["invoice.received"] },
  {
    kind: "webhook",
    authentication: {
      scheme: "hmac",
      header: "X-Signature",
      algorithm: "sha512",
      encoding: "base64",
      prefix: "v1=",
      timestampHeader: "X-Time",
    },
    dedupe: { by: "expression", expression: "event.id" },
  },
  { kind: "webhook", authentication: { scheme: "token", header: "X-Token" }, dedupe: body },
  { kind: "webhook", authentication: { scheme: "standard_webhooks" }, dedupe: { by: "none" } },
  { kind: "event", name: "custom.paid", procedureId: "pay" },
  { kind: "event", name: "custom.paid", procedureId: null },
];

const trigger = (source: TriggerSource): Trigger =>
  ({
    name: "Bills",
    procedureId: "pay",
    source,
    version: null,
    when: null,
    input: { amount: "{{ event.amount }}" },
    overlap: "allow",
    maxOpenRuns: 3,
    pauseAfterFailures: null,
  }) as unknown as Trigger;

test.each(sources)("a trigger that is opened and not changed is sent as it was: %j", (source) => {
  expect(sourceOf(draftOf(trigger(source), zone))).toEqual(source);
});

test("only the members that were changed are sent", () => {
  const before = draftOf(trigger(sources[0] as TriggerSource), zone);
  const members = (draft: typeof before): ReadonlyMap<string, string> => {
    const request = requestMembers(draft, field);
    return request.ok ? request.members : new Map();
  };
  expect(changedMembers(members(before), members(before)).size).toBe(0);
  const after = { ...before, name: " Bills of the shop ", maxOpenRuns: "" };
  expect(bodyOf(changedMembers(members(before), members(after)))).toBe(
    '{"name":"Bills of the shop","maxOpenRuns":null}',
  );
});

test("a new schedule skips beside an open run, and what is entered for other kinds is not sent", () => {
  const draft = { ...newDraft("schedule", "pay", zone), name: "Daily", maxOpenRuns: "7" };
  expect([overlapOf(draft), overlapOf({ ...draft, kind: "webhook" })]).toEqual(["skip", "allow"]);
  const request = requestMembers(draft, field);
  expect(request.ok && JSON.parse(bodyOf(request.members))).toMatchObject({
    source: { kind: "schedule", cron: "30 6 * * 1-5", timeZone: zone, startsAt: null },
    version: null,
    when: null,
    overlap: "skip",
    maxOpenRuns: null,
    input: {},
  });
});

test("a fault of the template is named by its place in the request", () => {
  const draft = {
    ...newDraft("event", "pay", zone),
    mapping: { source: "fields", texts: new Map([["amount", "x"]]) },
  } as const;
  expect(requestMembers(draft, field)).toMatchObject({ ok: false, faults: [{ path: "/input/amount" }] });
});
