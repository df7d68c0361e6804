import type { TriggerSource } from "@procedo/contract";
import type { FiringDetailsView, FiringView, NextTime, TriggerView } from "@procedo/engine";
import { moment } from "./table.ts";

/** A trigger as lines of text. Pure. */
export function describeTrigger(trigger: TriggerView, inboundUrl: (address: string) => string): readonly string[] {
  const { triggerId, name, environment, procedureId, version, source, paused, health, inbound } = trigger;
  const { when, input, overlap, maxOpenRuns, pauseAfterFailures, problems, next, updatedBy, updatedAtMs } = trigger;
  const { status, consecutiveFailures, lastFiringAtMs, waiting } = health;
  const failures = consecutiveFailures === 0 ? "" : `, ${consecutiveFailures} failures in a row`;
  const last = lastFiringAtMs === undefined ? "it has not fired yet" : `last fired ${moment(lastFiringAtMs)}`;
  return [
    `Trigger "${name}" (${triggerId}) in ${environment} is ${paused === undefined ? "active" : "paused"}`,
    `  starts: ${procedureId}, ${version === null ? "its default version" : `version ${version}`}, for ${updatedBy}`,
    `  source: ${describeSource(source)}`,
    ...(inbound === undefined ? [] : describeInbound(inbound, inboundUrl)),
    ...(when === null ? [] : [`  when: ${when}`]),
    `  input: ${JSON.stringify(input)}`,
    `  overlap: ${overlap}${maxOpenRuns === null ? "" : `, at most ${maxOpenRuns} open runs`}`,
    ...(pauseAfterFailures === null ? [] : [`  pauses after ${pauseAfterFailures} failures in a row`]),
    ...(paused === undefined
      ? []
      : [
          `  paused: by ${paused.by} at ${moment(paused.atMs)}; events are ${paused.events === "hold" ? "held" : "skipped"}`,
          ...(paused.reason === undefined ? [] : [`    ${paused.reason}`]),
        ]),
    `  health: ${status}${failures}, ${last}, ${waiting} waiting`,
    ...problems.map(({ path, message }) => `  problem: ${path === "" ? "/" : path} ${message}`),
    ...next.map((time) => `  next: ${describeTime(time)}`),
    `  changed: ${moment(updatedAtMs)} by ${updatedBy}`,
  ];
}

/** Refused requests are left out: the server counts them, and this command is another process. */
function describeInbound(
  { address, lastReceivedAtMs }: NonNullable<TriggerView["inbound"]>,
  inboundUrl: (address: string) => string,
): readonly string[] {
  const last = lastReceivedAtMs === undefined ? "none yet" : moment(lastReceivedAtMs);
  return [`  address: ${inboundUrl(address)}`, `    last verified request: ${last}`];
}

/** The source of a trigger on one line. */
export function describeSource(source: TriggerSource): string {
  switch (source.kind) {
    case "schedule":
      return `schedule ${source.cron} in ${source.timeZone}`;
    case "integration":
      return `events of ${source.connection}: ${source.events.join(", ")}`;
    case "webhook":
      return `webhook with ${source.authentication.scheme}`;
    case "event":
      return `event ${source.name} of ${source.procedureId ?? "any procedure"}`;
  }
}

/** A time of a schedule, with its delay by the spread and the reason of a shift. */
export function describeTime({ atMs, scheduledAtMs, local, note }: NextTime): string {
  const spread = atMs === scheduledAtMs ? "" : `, fires at ${moment(atMs)}`;
  return `${local}${spread}${note === undefined ? "" : ` (${note})`}`;
}

/** A firing as lines of text, with its event and the input of its run. */
export function describeFiring(firing: FiringDetailsView): readonly string[] {
  const { firingId, triggerId, status, reason, error, count, requestedBy, event, run, lateMs, duplicates } = firing;
  const { receivedAtMs, scheduledAtMs, occurredAtMs, refireOf, content, input } = firing;
  const times = count === 1 ? "" : `, ${count} times`;
  return [
    `Firing ${firingId} of ${triggerId}: ${status}${reason === undefined ? "" : ` (${reason})`}${times}`,
    ...(requestedBy === undefined ? [] : [`  asked for by ${requestedBy}`]),
    ...(refireOf === undefined ? [] : [`  again: ${refireOf}`]),
    ...(scheduledAtMs === undefined ? [] : [`  scheduled: ${moment(scheduledAtMs)}`]),
    ...(occurredAtMs === undefined ? [] : [`  occurred: ${moment(occurredAtMs)}`]),
    `  received: ${moment(receivedAtMs)}${duplicates === 0 ? "" : `, and ${duplicates} more times`}`,
    ...(event === undefined ? [] : [`  event: ${event.type} ${event.id}, SHA-256 ${event.digest}`]),
    ...(content === undefined ? [] : [`    ${JSON.stringify(content.event)}`]),
    ...(run === undefined ? [] : [`  run: ${run.runId}, version ${run.procedureVersion}`]),
    ...(lateMs === undefined ? [] : [`    started after ${lateMs} ms`]),
    ...(input === undefined ? [] : [`    input: ${JSON.stringify(input)}`]),
    ...(error === undefined
      ? []
      : [
          `  error: ${error.message}`,
          ...error.details.map(({ path, message }) => `    ${path === "" ? "/" : path} ${message}`),
        ]),
  ];
}

/** A firing as a row of a table. */
export function firingRow(firing: FiringView): readonly string[] {
  const { firingId, status, reason = "", count, scheduledAtMs, receivedAtMs, event, run } = firing;
  const why = count === 1 ? reason : `${reason} (${count})`;
  return [firingId, status, why, moment(scheduledAtMs ?? receivedAtMs), event?.type ?? "", run?.runId ?? ""];
}
