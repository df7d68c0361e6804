import { ProcedoError, type Environment, type ErrorDetail } from "@procedo/contract";

export function triggerNotFound(environment: Environment, triggerId: string): ProcedoError {
  const message = `There is no trigger "${triggerId}" in ${environment}. Check its id and its environment.`;
  return new ProcedoError("trigger_not_found", message);
}

export function firingNotFound(triggerId: string, firingId: string): ProcedoError {
  return new ProcedoError("firing_not_found", `Trigger "${triggerId}" has no firing "${firingId}". List its firings.`);
}

export function invalidTrigger(details: readonly ErrorDetail[]): ProcedoError {
  const [first] = details;
  const others = details.length > 1 ? `, and ${details.length - 1} more` : "";
  const place = first === undefined || first.path === "" ? "" : `${first.path} `;
  return new ProcedoError(
    "invalid_input",
    `The trigger has faults: ${place}${(first?.message ?? "").replace(/\.$/, "")}${others}.`,
    {
      details,
    },
  );
}

/** A request whose one member is at fault. */
export function invalidMember(path: string, message: string): ProcedoError {
  return new ProcedoError("invalid_input", `The value of ${path} ${message}.`, { details: [{ path, message }] });
}

export function nameTaken(environment: Environment, name: string): ProcedoError {
  const message = `Another trigger in ${environment} has the name "${name}". Choose another one.`;
  return new ProcedoError("name_taken", message, { details: [{ path: "/name", message: "is taken" }] });
}

export function tooManyTriggers(environment: Environment, limit: number): ProcedoError {
  const message = `There are ${limit} triggers in ${environment}, which is the limit. Remove one, or let one start several procedures by an event.`;
  return new ProcedoError("limit_reached", message);
}
