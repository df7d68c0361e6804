import type { JsonObject } from "@procedo/contract";
import { isSignature, ProcedoError, type InboundIntegration } from "@procedo/engine";
import * as z from "zod";
import type { OnfidoSecrets, OnfidoSettings } from "./onfido-actions.ts";

const text = z.string().nullish();

const payload = z.looseObject({
  resource_type: z.string(),
  action: z.string().min(1).max(128),
  object: z.looseObject({
    id: z.string().min(1).max(128),
    status: text,
    completed_at_iso8601: text,
    started_at_iso8601: text,
    href: text,
  }),
  resource: z
    .looseObject({
      id: text,
      applicant_id: text,
      status: text,
      updated_at: text,
    })
    .optional(),
});
const delivery = z.looseObject({ payload: z.json() });
const schema = z.toJSONSchema(payload, { io: "input" }) as JsonObject;

const types = [
  ["workflow_run", "completed", "Workflow run completed", "approved"],
  ["check", "completed", "Check completed", "complete"],
  ["check", "reopened", "Check reopened", "reopened"],
  ["check", "withdrawn", "Check withdrawn", "withdrawn"],
  ["report", "completed", "Report completed", "complete"],
  ["watchlist_monitor", "matches_updated", "Matches of a watchlist monitor updated", "complete"],
] as const;

const hourMs = 60 * 60_000;

/** The events of Onfido. They do not tell their environment, so that each webhook has to be of one environment. */
export function onfidoEvents(): InboundIntegration<OnfidoSettings, OnfidoSecrets> {
  return {
    events: types.map(([kind, happened, title, status]) => ({
      type: `${kind}.${happened}`,
      title,
      schema,
      sample: {
        ...{ resource_type: kind, action: `${kind}.${happened}` },
        object: {
          ...{ id: "0d3f7a52-8c1e-4b6a-9f20-5e7d1c2b3a49", status, completed_at_iso8601: "2026-11-27T09:00:00Z" },
          href: `https://api.eu.onfido.com/v3.6/${kind}s/0d3f7a52-8c1e-4b6a-9f20-5e7d1c2b3a49`,
        },
      },
    })),

    verify({ header, body, secrets: { webhookToken } }) {
      const [signature = "", ...more] = header("X-SHA2-Signature");
      if (webhookToken === undefined || more.length > 0) return false;
      return isSignature(signature, [body], { secret: webhookToken });
    },

    parse({ json, nowMs }) {
      const outer = delivery.safeParse(json());
      const parsed = payload.safeParse(outer.data?.payload);
      if (outer.data === undefined || parsed.data === undefined) {
        const reason = z.prettifyError(outer.error ?? parsed.error ?? new z.ZodError([]));
        throw new ProcedoError("invalid_input", `This is not an event of Onfido: ${reason}`);
      }
      const { action, object, resource } = parsed.data;
      const at = object.completed_at_iso8601 ?? resource?.updated_at ?? object.started_at_iso8601;
      // Onfido gives events no id. One without a time is new after an hour: an alert too many is better than one too few.
      const occurrence = at ?? `received ${Math.floor(nowMs / hourMs)}`;
      return [
        {
          id: `${object.id}:${action}:${occurrence}`,
          type: action,
          occurredAtMs: msOf(at),
          event: outer.data.payload,
        },
      ];
    },
  };
}

function msOf(time: string | null | undefined): number | undefined {
  const ms = Date.parse(time ?? "");
  return Number.isNaN(ms) ? undefined : ms;
}
