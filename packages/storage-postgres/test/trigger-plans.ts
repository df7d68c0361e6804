import type { Storage } from "@procedo/storage";
import { firstRow, scope } from "./run-rows.ts";
import { batch, claimFirings, incoming, manual, putTrigger, source, startingRow } from "./trigger-rows.ts";

/** By statement of triggers: the indexes of its plan, when it was planned while all tables were empty. */
export const triggerPlans = {
  "triggers-take": ["event_keys_pkey", "events_pkey", "firing_queue_of_trigger", "record_keys_pkey", "records_pkey"],
  "commit-create-trigger-firing": ["firing_queue_pkey", "firings_firing_id_workspace_environment_key", "firings_pkey"],
  "commit-create-events-fires": ["record_keys_pkey", "records_pkey"],
  "runs-list-of-trigger": ["run_triggers_by_time", "run_triggers_pkey", "runs_pkey"],
  "runs-list-of-trigger-filtered": ["run_triggers_by_time", "run_triggers_pkey", "runs_pkey"],
  "schedules-due": ["trigger_gates_due"],
  "schedules-advance": ["trigger_gates_pkey"],
  "firings-add": ["firings_firing_id_workspace_environment_key", "trigger_gates_pkey"],
  "firings-lock-gates": ["firing_queue_due", "firing_queue_of_trigger", "trigger_gates_pkey"],
  "firings-read-queued": ["firing_queue_leased", "firing_queue_of_trigger", "firings_open", "runs_pkey"],
  "firings-end": ["firing_queue_of_trigger", "firing_queue_pkey", "firings_pkey"],
  "firings-end-deleted": ["firing_queue_of_trigger", "firing_queue_pkey", "firings_pkey"],
  "firings-hold-back": [
    "firing_queue_leased",
    "firing_queue_of_trigger",
    "firing_queue_pending",
    "firing_queue_pkey",
    "firings_pkey",
  ],
  "firings-lease": ["events_pkey", "firing_queue_pkey", "firings_pkey"],
  "firings-check-open": ["firings_open", "firings_pkey", "runs_pkey", "trigger_gates_pkey"],
  "firings-settle": ["firing_queue_pkey", "firings_firing_id_workspace_environment_key", "firings_pkey"],
  "firings-end-pending": ["firing_queue_of_trigger", "firing_queue_pkey", "firings_pkey"],
  "firings-get": ["event_keys_pkey", "events_pkey", "firings_firing_id_workspace_environment_key", "runs_pkey"],
  "firings-list": ["event_keys_pkey", "events_pkey", "firings_by_time", "runs_pkey"],
  "firings-list-filtered": ["event_keys_pkey", "events_pkey", "firings_by_time", "runs_pkey"],
  "triggers-states": [
    "firing_queue_of_trigger",
    "firings_by_time",
    "firings_with_outcome",
    "runs_pkey",
    "trigger_gates_pkey",
  ],
  "triggers-remove-contents": ["events_pkey", "events_with_content", "firing_queue_pkey", "firings_of_event"],
  "triggers-remove-firings": ["firings_ended", "firings_pkey", "runs_pkey"],
  "triggers-remove-events": ["event_keys_pkey", "events_by_time", "events_pkey", "firings_of_event"],
  "gates-put": [],
  "gates-remove": ["trigger_gates_pkey"],
} as const;

/** Calls that execute each of these statements. */
export async function fireAndClaim(storage: Storage): Promise<void> {
  const { triggers, records, runs } = storage;
  const few = { scope, limit: 1 };
  const one = { scope, triggerId: "trg-1", firingId: "fir-1" };
  await triggers.take(batch([incoming("evt-1")]));
  const schedule = { accountedAtMs: 1, dueAtMs: 1 };
  await triggers.advance([{ ...one, revision: 1, dueAtMs: 1, firings: [{ scheduledAtMs: 1 }], next: schedule }]);
  await triggers.add({ ...one, firings: [manual("one")] });
  await putTrigger(storage, "trg-1", { overlap: "queue_one", schedule });
  await triggers.due({ workspace: scope.workspace, limit: 1 });
  for (const id of ["evt-1", "evt-2"]) await triggers.take(batch([incoming(id)]));
  const [firing] = await claimFirings(storage, 1);
  if (firing === undefined) throw new Error("One is due.");
  await triggers.settle([{ ...firing, epoch: 9, next: { status: "pending", afterMs: 1 } }]);
  await runs.commit(startingRow("run-of-firing", firing));
  await triggers.take(batch([incoming("evt-3")]));
  await claimFirings(storage, 1);
  const fires = { keys: [source], body: "{}", digest: "digest", chainDepth: 0 };
  const events = [{ eventId: "evt-9", event: "custom.paid", createdAtMs: 1, data: "{}", fires }];
  await runs.commit(firstRow("run-of-event", { events }));
  await runs.list({ ...few, triggerId: "trg-1" });
  await runs.list({ ...few, triggerId: "trg-1", statuses: ["failed"] });
  await triggers.get(one);
  await triggers.list({ ...one, ...few });
  await triggers.list({ ...one, ...few, status: "failed" });
  await triggers.states({ scope, triggerIds: ["trg-1"] });
  await triggers.endPending({ scope, reason: "restored", limit: 1 });
  await triggers.removeExpired({ scope, contentsOlderThanMs: 1, firingsOlderThanMs: 1, limit: 1 });
  await records.remove({ workspace: scope.workspace, kind: "trigger", id: "trg-1" });
}
