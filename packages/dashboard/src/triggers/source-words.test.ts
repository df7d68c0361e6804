import { expect, test } from "vitest";
import type { TriggerSource } from "../api/models.ts";
import { customEvent, sourceWords } from "./source-words.ts";

const schedule = (cron: string): TriggerSource => ({
  kind: "schedule",
  cron,
  timeZone: "Europe/Berlin",
  startsAt: null,
  endsAt: null,
  spread: "PT0S",
  catchUp: "latest",
  catchUpWithin: "PT24H",
});

const sources: readonly (readonly [TriggerSource, string, string])[] = [
  [schedule("30 6 * * 1-5"), "At 06:30, Monday through Friday", "Europe/Berlin"],
  [schedule("nonsense"), "nonsense", "Europe/Berlin"],
  [{ kind: "integration", connection: "ledger", events: ["a", "b", "c"] }, "An invoice came and 2 more", "ledger"],
  [{ kind: "integration", connection: "ledger", events: ["b"] }, "b", "ledger"],
  [
    { kind: "webhook", authentication: { scheme: "basic" }, dedupe: { by: "none" } },
    "A request of another service",
    "HTTP Basic",
  ],
  [{ kind: "event", name: "custom.paid", procedureId: "pay" }, "paid", "Pay a vendor"],
  [{ kind: "event", name: "custom.paid", procedureId: "gone" }, "paid", "gone"],
  [{ kind: "event", name: "custom.paid", procedureId: null }, "paid", "Any procedure"],
];

test.each(sources)("%j is told as %s of %s", (source, what, detail) => {
  const names = {
    eventTitle: (type: string) => (type === "a" ? "An invoice came" : undefined),
    procedureName: (id: string) => (id === "pay" ? "Pay a vendor" : undefined),
  };
  expect(sourceWords(source, names)).toEqual({ what, detail });
});

test("an event of a procedure may be named with or without its prefix", () => {
  expect([customEvent(" paid "), customEvent("custom.paid")]).toEqual(["custom.paid", "custom.paid"]);
});
