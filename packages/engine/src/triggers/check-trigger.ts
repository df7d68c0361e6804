import {
  maxMappingLength,
  ProcedoError,
  type Environment,
  type ErrorDetail,
  type IntegrationSource,
  type JsonObject,
  type WebhookSource,
} from "@procedo/contract";
import { compileExpression, compileMapping, parseDuration, type CompiledProcedure } from "@procedo/procedure";
import type { Versions } from "../procedures/versions.ts";
import { scheduleProblems } from "../schedules/check-schedule.ts";
import { dedupeTypes, mappingTypes } from "./mapping-scope.ts";
import type { ReadTrigger } from "./read-trigger.ts";
import { eventSchemaOf, sourceConnection, type SourceEventPorts } from "./source-events.ts";
import { invalidTrigger } from "./trigger-errors.ts";

export interface CheckPorts extends SourceEventPorts {
  readonly versions: Pick<Versions, "pick">;
  readonly clock: { now(): number };
}

/** The longest window of a dedupe by body, in days. */
const maxWindowDays = 35;

/**
 * Checks a trigger against its procedure, its connection and the calendar.
 *
 * @throws ProcedoError `procedure_not_found`, `version_not_found`, `connection_not_found`; `invalid_input` with every
 *   other fault
 */
export async function checkTrigger(ports: CheckPorts, environment: Environment, trigger: ReadTrigger): Promise<void> {
  const { source } = trigger;
  const { procedure } = await ports.versions.pick(trigger.procedureId, environment, trigger.version ?? undefined);
  const events = await eventsOf(ports, environment, source);
  const problems = [
    ...ruleProblems(trigger),
    ...(source.kind === "schedule" ? below("/source", scheduleProblems(source, ports.clock.now())) : []),
    ...(source.kind === "webhook" ? dedupeProblems(source) : []),
    ...events.problems,
    ...mappingProblems(trigger, procedure, events.schema),
  ];
  if (problems.length > 0) throw invalidTrigger(problems);
}

/** The faults of the mapping against a version of the procedure. */
export function mappingProblems(
  { source, when, input }: Pick<ReadTrigger, "source" | "when" | "input">,
  { input: { schema } }: Pick<CompiledProcedure, "input">,
  eventSchema: JsonObject | undefined,
): readonly ErrorDetail[] {
  if (JSON.stringify(input).length > maxMappingLength) {
    return [{ path: "/input", message: `has more than ${maxMappingLength} characters as JSON` }];
  }
  const compiled = compileMapping({ when, input }, mappingTypes(source, eventSchema), schema);
  return compiled.ok ? [] : compiled.problems;
}

/** The faults of members that do not go together. */
function ruleProblems({ source, overlap, maxOpenRuns }: ReadTrigger): readonly ErrorDetail[] {
  const problems: ErrorDetail[] = [];
  if (source.kind === "schedule" && source.catchUp === "all" && overlap === "skip") {
    const message = 'contradicts "catchUp": "all", whose times would meet each other\'s runs: write "queue" or "allow"';
    problems.push({ path: "/overlap", message });
  }
  if (maxOpenRuns !== null && overlap !== "allow") {
    problems.push({ path: "/maxOpenRuns", message: 'is for "overlap": "allow" only: leave it out' });
  }
  return problems;
}

function dedupeProblems({ dedupe }: WebhookSource): readonly ErrorDetail[] {
  switch (dedupe.by) {
    case "none":
      return [];
    case "expression": {
      const compiled = compileExpression(dedupe.expression, dedupeTypes);
      return compiled.ok
        ? []
        : compiled.problems.map(({ message }) => ({ path: "/source/dedupe/expression", message }));
    }
    case "body": {
      const within = parseDuration(dedupe.within);
      const path = "/source/dedupe/within";
      if (!within.ok) return [{ path, message: within.message }];
      return within.ms <= maxWindowDays * 86_400_000 ? [] : [{ path, message: `is longer than ${maxWindowDays} days` }];
    }
  }
}

async function eventsOf(
  ports: SourceEventPorts,
  environment: Environment,
  source: ReadTrigger["source"],
): Promise<{ readonly schema: JsonObject | undefined; readonly problems: readonly ErrorDetail[] }> {
  if (source.kind !== "integration") return { schema: undefined, problems: [] };
  const connection = await sourceConnection(ports, environment, source.connection);
  if (connection === undefined) {
    const message = `There is no connection "${source.connection}" in ${environment}. Create it, or name another one.`;
    throw new ProcedoError("connection_not_found", message);
  }
  const { inbound } = connection;
  return { schema: eventSchemaOf(source, inbound), problems: eventProblems(source, inbound?.events) };
}

/** The events that the connection of a trigger does not have. */
export function eventProblems(
  { connection, events }: IntegrationSource,
  known: readonly { readonly type: string }[] = [],
): readonly ErrorDetail[] {
  const types = known.map(({ type }) => type);
  if (types.length === 0) {
    return [{ path: "/source/connection", message: `is "${connection}", whose service sends no events` }];
  }
  return events.flatMap((type, index) =>
    types.includes(type)
      ? []
      : [
          {
            path: `/source/events/${index}`,
            message: `is not an event of "${connection}": it has ${types.join(", ")}`,
          },
        ],
  );
}

function below(path: string, problems: readonly ErrorDetail[]): readonly ErrorDetail[] {
  return problems.map((problem) => ({ ...problem, path: `${path}${problem.path}` }));
}
