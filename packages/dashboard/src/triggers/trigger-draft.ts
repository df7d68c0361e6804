/* A trigger while it is edited. What was entered for one kind of source stays when another kind is chosen. */
import type { Trigger, TriggerSource } from "../api/models.ts";
import type { components } from "../api/schema.d.ts";
import type { FormField } from "../forms/form-field.ts";
import { momentOf, wallTimeOf } from "../values/time.ts";
import { emptyMapping, mappingOf, mappingText, type MappingDraft, type MappingText } from "./mapping-draft.ts";
import { cronOf, repetitionOf, usualRepetition, type Repetition } from "./repetition.ts";
import { type TriggerKind } from "./kind-words.ts";
import { customEvent, customEventName } from "./source-words.ts";

type GivenSource = components["schemas"]["GivenTriggerSource"];
type Source<Kind extends TriggerKind> = Extract<TriggerSource, { readonly kind: Kind }>;
export type Scheme = Source<"webhook">["authentication"]["scheme"];
type Hmac = Extract<Source<"webhook">["authentication"], { readonly scheme: "hmac" }>;

export interface ScheduleDraft {
  readonly repetition: Repetition;
  readonly timeZone: string;
  /** Times on the clock of the zone: `2026-11-20T14:30`. */
  readonly startsAt: string;
  readonly endsAt: string;
  readonly spread: string;
  readonly catchUp: Source<"schedule">["catchUp"];
  readonly catchUpWithin: string;
}

export interface WebhookDraft {
  readonly scheme: Scheme;
  readonly hmac: Omit<Hmac, "scheme" | "timestampHeader"> & { readonly timestampHeader: string };
  readonly tokenHeader: string;
  /** "usual": as the service chooses for the scheme. */
  readonly dedupeBy: "usual" | Source<"webhook">["dedupe"]["by"];
  readonly dedupeExpression: string;
  readonly dedupeWithin: string;
}

export interface TriggerDraft {
  readonly name: string;
  readonly procedureId: string;
  /** "" for the default of the environment. */
  readonly version: string;
  readonly kind: TriggerKind;
  readonly schedule: ScheduleDraft;
  readonly integration: { readonly connection: string; readonly events: readonly string[] };
  readonly webhook: WebhookDraft;
  /** Without the prefix of its name; `procedureId` is "" for any. */
  readonly event: { readonly name: string; readonly procedureId: string };
  readonly when: string;
  readonly mapping: MappingDraft;
  /** `undefined` until it is chosen. */
  readonly overlap: Trigger["overlap"] | undefined;
  readonly maxOpenRuns: string;
  readonly pauseAfterFailures: string;
}

export function newDraft(kind: TriggerKind, procedureId: string, timeZone: string): TriggerDraft {
  return {
    name: "",
    procedureId,
    version: "",
    kind,
    schedule: {
      repetition: usualRepetition,
      timeZone,
      startsAt: "",
      endsAt: "",
      spread: "PT0S",
      catchUp: "latest",
      catchUpWithin: "PT24H",
    },
    integration: { connection: "", events: [] },
    webhook: {
      scheme: "hmac",
      hmac: { header: "", algorithm: "sha256", encoding: "hex", prefix: "", timestampHeader: "" },
      tokenHeader: "Authorization",
      dedupeBy: "usual",
      dedupeExpression: "",
      dedupeWithin: "PT24H",
    },
    event: { name: "", procedureId: "" },
    when: "",
    mapping: emptyMapping,
    overlap: undefined,
    maxOpenRuns: "",
    pauseAfterFailures: "",
  };
}

/** The draft of a stored trigger. */
export function draftOf(trigger: Trigger, timeZone: string): TriggerDraft {
  const { name, procedureId, version, source, when, input, overlap, maxOpenRuns, pauseAfterFailures } = trigger;
  const empty = newDraft(source.kind, procedureId, timeZone);
  return {
    ...empty,
    ...partOf(source, empty),
    name,
    version: version ?? "",
    when: when ?? "",
    mapping: mappingOf(input),
    overlap,
    maxOpenRuns: maxOpenRuns === null ? "" : String(maxOpenRuns),
    pauseAfterFailures: pauseAfterFailures === null ? "" : String(pauseAfterFailures),
  };
}

function partOf(source: TriggerSource, empty: TriggerDraft): Partial<TriggerDraft> {
  switch (source.kind) {
    case "schedule": {
      const { cron, timeZone, startsAt, endsAt, spread, catchUp, catchUpWithin } = source;
      const clock = (at: string | null): string => (at === null ? "" : wallTimeOf(at, timeZone));
      const repetition = repetitionOf(cron);
      const bounds = { startsAt: clock(startsAt), endsAt: clock(endsAt) };
      return { schedule: { repetition, timeZone, ...bounds, spread, catchUp, catchUpWithin } };
    }
    case "integration":
      return { integration: { connection: source.connection, events: source.events } };
    case "webhook":
      return { webhook: webhookDraft(source, empty.webhook) };
    case "event":
      return { event: { name: customEventName(source.name), procedureId: source.procedureId ?? "" } };
  }
}

function webhookDraft({ authentication, dedupe }: Source<"webhook">, empty: WebhookDraft): WebhookDraft {
  const { scheme } = authentication;
  return {
    ...empty,
    scheme,
    ...(scheme === "hmac" && { hmac: { ...authentication, timestampHeader: authentication.timestampHeader ?? "" } }),
    ...(scheme === "token" && { tokenHeader: authentication.header }),
    dedupeBy: dedupe.by,
    ...(dedupe.by === "expression" && { dedupeExpression: dedupe.expression }),
    ...(dedupe.by === "body" && { dedupeWithin: dedupe.within }),
  };
}

/** What happens beside an open run, without a choice. */
export function overlapOf({ overlap, kind }: Pick<TriggerDraft, "overlap" | "kind">): Trigger["overlap"] {
  return overlap ?? (kind === "schedule" ? "skip" : "allow");
}

/** The source, as it is sent. */
export function sourceOf({ kind, schedule, integration, webhook, event }: TriggerDraft): GivenSource {
  switch (kind) {
    case "schedule": {
      const { repetition, startsAt, endsAt, ...others } = schedule;
      const moment = (text: string): string | null => (text === "" ? null : momentOf(text, schedule.timeZone));
      return { kind, cron: cronOf(repetition), ...others, startsAt: moment(startsAt), endsAt: moment(endsAt) };
    }
    case "integration":
      return { kind, connection: integration.connection, events: [...integration.events] };
    case "webhook": {
      const dedupe = dedupeOf(webhook);
      return { kind, authentication: authenticationOf(webhook), ...(dedupe !== undefined && { dedupe }) };
    }
    case "event":
      return {
        kind,
        name: customEvent(event.name),
        procedureId: event.procedureId === "" ? null : event.procedureId,
      };
  }
}

function authenticationOf({
  scheme,
  hmac,
  tokenHeader,
}: WebhookDraft): components["schemas"]["GivenInboundAuthentication"] {
  switch (scheme) {
    case "hmac": {
      const { header, algorithm, encoding, prefix } = hmac;
      const timestampHeader = hmac.timestampHeader.trim();
      return {
        ...{ scheme, header: header.trim(), algorithm, encoding, prefix },
        timestampHeader: timestampHeader === "" ? null : timestampHeader,
      };
    }
    case "token":
      return { scheme, header: tokenHeader.trim() };
    case "basic":
    case "standard_webhooks":
      return { scheme };
  }
}

function dedupeOf({ dedupeBy, dedupeExpression, dedupeWithin }: WebhookDraft) {
  switch (dedupeBy) {
    case "usual":
      return undefined;
    case "expression":
      return { by: dedupeBy, expression: dedupeExpression.trim() };
    case "body":
      return { by: dedupeBy, within: dedupeWithin };
    case "none":
      return { by: dedupeBy };
  }
}

/** The members of the request as JSON texts, whose digits are those that were typed. */
export type RequestMembers =
  { readonly ok: true; readonly members: ReadonlyMap<string, string> } | Extract<MappingText, { readonly ok: false }>;

export function requestMembers(draft: TriggerDraft, field: FormField): RequestMembers {
  const mapping = mappingText(draft.mapping, field);
  if (!mapping.ok) {
    return { ok: false, faults: mapping.faults.map(({ path, message }) => ({ path: `/input${path}`, message })) };
  }
  const overlap = overlapOf(draft);
  const orNull = (text: string): string | null => (text.trim() === "" ? null : text.trim());
  const values = {
    name: draft.name.trim(),
    procedureId: draft.procedureId,
    source: sourceOf(draft),
    version: orNull(draft.version),
    when: orNull(draft.when),
    overlap,
    maxOpenRuns: overlap === "allow" ? numberOf(draft.maxOpenRuns) : null,
    pauseAfterFailures: numberOf(draft.pauseAfterFailures),
  };
  const texts = Object.entries(values).map(([name, value]) => [name, JSON.stringify(value)] as const);
  return { ok: true, members: new Map([...texts, ["input", mapping.json]]) };
}

function numberOf(text: string): number | null {
  return text.trim() === "" ? null : Number(text);
}

/** The members that differ from those of the stored trigger. A schedule that is sent anew would count from now. */
export function changedMembers(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  return new Map([...after].filter(([name, text]) => before.get(name) !== text));
}

/** An object as JSON text. */
export function bodyOf(members: ReadonlyMap<string, string>): string {
  return `{${[...members].map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(",")}}`;
}
