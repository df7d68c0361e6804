import type { JsonObject, JsonValue, TriggerProblem } from "@procedo/contract";
import { withDefaults } from "@procedo/procedure";
import { ProcedoError } from "@procedo/contract";
import type { Storage } from "@procedo/storage";
import { authorize } from "../access/principal.ts";
import type { Versions } from "../procedures/versions.ts";
import { evaluateMapping, type MappedTrigger } from "./evaluate-mapping.ts";
import { isManualInput } from "./manual-event.ts";
import type { Occurrence } from "./mapping-scope.ts";
import { readNewTrigger, type ReadTrigger } from "./read-trigger.ts";
import { shownContent } from "./show-firing.ts";
import type { SourceEventPorts } from "./source-events.ts";
import type { StoredTrigger, StoredTriggers } from "./stored-triggers.ts";
import { firingNotFound, invalidMember } from "./trigger-errors.ts";
import type { MappingTest, Triggers } from "./triggers.ts";

export interface TestPorts extends SourceEventPorts {
  readonly storage: Pick<Storage, "records" | "triggers">;
  readonly triggers: StoredTriggers;
  readonly versions: Pick<Versions, "pick">;
  readonly clock: { now(): number };
}

/** See `Triggers.test`. */
export async function testTrigger(
  ports: TestPorts,
  { environment, triggerId, by, firingId, event, headers = {} }: Parameters<Triggers["test"]>[0],
): Promise<MappingTest> {
  authorize(by, "manage", environment);
  const trigger = await ports.triggers.get({ environment, triggerId });
  const occurrence =
    firingId === undefined
      ? givenOccurrence(ports, trigger, event, headers)
      : await pastOccurrence(ports, trigger, firingId);
  return await tested(ports, trigger, occurrence);
}

/** See `Triggers.testMapping`. */
export async function testMapping(
  ports: TestPorts,
  { environment, by, event, headers = {}, ...given }: Parameters<Triggers["testMapping"]>[0],
): Promise<MappingTest> {
  authorize(by, "manage", environment);
  const body = readNewTrigger({ ...given, name: "preview" });
  const trigger = { environment, triggerId: "preview", body };
  return await tested(ports, trigger, givenOccurrence(ports, trigger, event, headers));
}

type TestedTrigger = MappedTrigger & { readonly body: Pick<ReadTrigger, "procedureId" | "version"> };

async function tested(ports: TestPorts, trigger: TestedTrigger, occurrence: Occurrence): Promise<MappingTest> {
  const mapped = await evaluateMapping(ports, trigger, occurrence);
  switch (mapped.kind) {
    case "filtered":
      return { matches: false, input: undefined, problems: [] };
    case "failed":
      return {
        matches: !mapped.problems.some(({ path }) => path === "/when"),
        input: undefined,
        problems: mapped.problems,
      };
    case "input":
      return { matches: true, input: mapped.input, problems: await inputProblems(ports, trigger, mapped.input) };
  }
}

function givenOccurrence(
  { clock }: TestPorts,
  { body }: MappedTrigger,
  event: JsonValue | undefined,
  headers: JsonObject,
): Occurrence {
  if (body.source.kind !== "schedule" && event === undefined)
    throw invalidMember("/event", "is missing: give an event or a firing");
  const type = body.source.kind === "integration" ? (body.source.events[0] ?? "") : "test";
  return {
    scheduledAtMs: clock.now(),
    occurredAtMs: clock.now(),
    event: event === undefined ? undefined : { id: "test", type, value: event, headers },
  };
}

async function pastOccurrence(
  { storage, workspace }: TestPorts,
  { environment, triggerId }: StoredTrigger,
  firingId: string,
): Promise<Occurrence> {
  const scope = { workspace, environment };
  const row = await storage.triggers.get({ scope, triggerId, firingId });
  if (row === undefined) throw firingNotFound(triggerId, firingId);
  const { event, content, occurredAtMs, scheduledAtMs = row.receivedAtMs } = row;
  if (event === undefined) return { scheduledAtMs, occurredAtMs, event: undefined };
  const shown = shownContent(content);
  if (shown === undefined || isManualInput(event)) {
    throw invalidMember(
      "/firingId",
      shown === undefined ? "names a firing whose event was removed" : "names a firing without an event",
    );
  }
  return { scheduledAtMs, occurredAtMs, event: { ...event, value: shown.event, headers: shown.headers } };
}

/** Why the procedure would not take the input. */
async function inputProblems(
  { versions }: TestPorts,
  { environment, body: { procedureId, version } }: TestedTrigger,
  input: JsonValue,
): Promise<readonly TriggerProblem[]> {
  try {
    const { procedure } = await versions.pick(procedureId, environment, version ?? undefined);
    const completed = withDefaults(input, procedure.input.schema);
    if (!completed.ok) return [{ path: "/data", message: completed.message }];
    return procedure.input.validate(completed.value).map(({ path, message }) => ({ path: `/data${path}`, message }));
  } catch (error) {
    if (!ProcedoError.isError(error) || error.retryable) throw error;
    return [{ path: error.code === "version_not_found" ? "/version" : "/procedureId", message: error.message }];
  }
}
