import { hash } from "node:crypto";
import type { JsonValue, WebhookSource } from "@procedo/contract";
import { compileExpression, parseDuration } from "@procedo/procedure";
import type { Random } from "../ports/random.ts";
import { dedupeWindowMs } from "./inbound-target.ts";
import { dedupeTypes } from "./mapping-scope.ts";

/** Tells which requests to a webhook trigger are the same event. */
export type DedupeOf = (request: {
  readonly event: JsonValue;
  readonly headers: Readonly<Record<string, string>>;
  /** SHA-256 of the body, hex. */
  readonly digest: string;
}) => DedupedEvent;

export interface DedupedEvent {
  /** The identifier of the event, for people. */
  readonly id: string;
  readonly dedupeKey: string;
  readonly dedupeForMs: number;
}

/**
 * An expression that gives neither text nor a number, such as for a request that only checks the address, leaves the body
 * to tell events apart: no event is lost for it.
 */
export function createDedupe(dedupe: WebhookSource["dedupe"], random: Pick<Random, "bytes">): DedupeOf {
  switch (dedupe.by) {
    case "expression": {
      const compiled = compileExpression(dedupe.expression, dedupeTypes);
      return ({ event, headers, digest }) => {
        const evaluated = compiled.ok ? compiled.expression.evaluate({ values: { event, headers } }) : undefined;
        const id = evaluated?.ok === true ? textOf(evaluated.value) : undefined;
        if (id === undefined) return { id: digest, dedupeKey: `body ${digest}`, dedupeForMs: dedupeWindowMs };
        return { id, dedupeKey: `id ${hash("sha256", id, "hex")}`, dedupeForMs: dedupeWindowMs };
      };
    }
    case "body": {
      const within = parseDuration(dedupe.within);
      const dedupeForMs = within.ok ? Math.min(within.ms, dedupeWindowMs) : dedupeWindowMs;
      return ({ digest }) => ({ id: digest, dedupeKey: `body ${digest}`, dedupeForMs });
    }
    case "none":
      return () => {
        const id = Buffer.from(random.bytes(16)).toString("hex");
        return { id, dedupeKey: `request ${id}`, dedupeForMs: 0 };
      };
  }
}

function textOf(value: JsonValue | undefined): string | undefined {
  if (typeof value === "number") return String(value);
  return typeof value === "string" && value !== "" ? value : undefined;
}
