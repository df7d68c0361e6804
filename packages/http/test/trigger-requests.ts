/* A request for every operation of triggers and their firings. */
import type { Environment, JsonObject } from "@procedo/contract";
import type { NewTrigger } from "@procedo/engine";
import { newName, owner, until, type Harness } from "./harness.ts";
import { ofAll, placements, whereIs, type OperationRequest, type Placement } from "./request-placement.ts";

const noon = { kind: "schedule", cron: "0 12 * * *", timeZone: "UTC" } as const;

/** A webhook trigger, which has a secret, unless another source is given. */
async function triggerAt(
  harness: Harness,
  environment: Environment,
  placement: Placement,
  source: NewTrigger["source"] = { kind: "webhook", authentication: { scheme: "basic" } },
) {
  if (placement === "never") return "trg_never";
  const place = { environment: whereIs(environment, placement), by: owner };
  // The times of a schedule have no event.
  const input = { amount: source.kind === "schedule" ? 1 : "{{ int(event.sum) }}" };
  const trigger = { name: newName(), procedureId: "ask", source, input };
  const { triggerId } = await harness.engine.triggers.create({ ...place, ...trigger });
  if (placement === "deleted") await harness.engine.triggers.remove({ ...place, triggerId });
  return triggerId;
}

const ofTrigger = (
  ok: number,
  target: (triggerId: string) => string,
  body?: JsonObject,
  source?: NewTrigger["source"],
): OperationRequest => ({
  placements,
  ok,
  prepare: async (harness, environment, placement) => {
    const subject = await triggerAt(harness, environment, placement, source);
    return { target: target(subject), subject, ...(body !== undefined && { body }) };
  },
});

/** A firing that failed, because its event does not fit. */
const ofFiring = (ok: number, target: (triggerId: string, firingId: string) => string): OperationRequest => ({
  placements,
  ok,
  prepare: async (harness, environment, placement) => {
    const subject = await triggerAt(harness, environment, placement === "deleted" ? "own" : placement);
    const place = { environment: whereIs(environment, placement), triggerId: subject, by: owner };
    const { triggers } = harness.engine;
    const { firingId } =
      placement === "never" ? { firingId: "fir_never" } : await triggers.fire({ ...place, event: {} });
    if (placement !== "never") {
      const { by: _by, ...address } = place;
      await until(async () => (await triggers.firing({ ...address, firingId })).status === "failed");
    }
    if (placement === "deleted") await triggers.remove(place);
    return { target: target(subject, firingId), subject };
  },
});

export const triggerRequests: Readonly<Record<string, OperationRequest>> = {
  listTriggers: ofAll(200, "GET /api/v1/triggers?limit=2"),
  createTrigger: ofAll(201, "POST /api/v1/triggers", () => ({
    name: newName(),
    procedureId: "echo",
    source: { kind: "event", name: "custom.never" },
  })),
  previewTrigger: ofAll(200, "POST /api/v1/triggers/preview", () => ({ source: noon })),
  getTrigger: ofTrigger(200, (id) => `GET /api/v1/triggers/${id}`),
  updateTrigger: ofTrigger(200, (id) => `PATCH /api/v1/triggers/${id}`, { pauseAfterFailures: 3 }),
  deleteTrigger: ofTrigger(200, (id) => `DELETE /api/v1/triggers/${id}`),
  testTrigger: ofTrigger(200, (id) => `POST /api/v1/triggers/${id}/test`, { event: { sum: 1 } }),
  pauseTrigger: ofTrigger(200, (id) => `POST /api/v1/triggers/${id}/pause`),
  resumeTrigger: {
    placements,
    ok: 200,
    prepare: async (harness, environment, placement) => {
      const subject = await triggerAt(harness, environment, placement);
      const place = { environment: whereIs(environment, placement), triggerId: subject, by: owner };
      if (placement === "own" || placement === "other") await harness.engine.triggers.pause(place);
      return { target: `POST /api/v1/triggers/${subject}/resume`, subject };
    },
  },
  fireTrigger: ofTrigger(202, (id) => `POST /api/v1/triggers/${id}/fire`, { data: { amount: 1 } }),
  backfillTrigger: ofTrigger(
    200,
    (id) => `POST /api/v1/triggers/${id}/backfill`,
    { from: "2026-01-01T00:00:00Z", to: "2026-01-02T00:00:00Z" },
    noon,
  ),
  rotateTriggerSecret: ofTrigger(200, (id) => `POST /api/v1/triggers/${id}/rotate`),
  listFirings: ofTrigger(200, (id) => `GET /api/v1/triggers/${id}/firings?limit=2`),
  getFiring: ofFiring(200, (triggerId, id) => `GET /api/v1/triggers/${triggerId}/firings/${id}?include=event,input`),
  refire: ofFiring(202, (triggerId, id) => `POST /api/v1/triggers/${triggerId}/firings/${id}/refire`),
};
