import type { TriggerSource } from "../api/models.ts";

export type TriggerKind = TriggerSource["kind"];

export const kindWords: Readonly<Record<TriggerKind, string>> = {
  schedule: "Schedule",
  integration: "Event of a connection",
  webhook: "Webhook",
  event: "Event of a procedure",
};
