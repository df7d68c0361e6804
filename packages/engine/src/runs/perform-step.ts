import { insteadOfRepeating, type Entry, type RunState, type Step } from "@procedo/procedure";
import { agentFacts } from "../agent/agent-facts.ts";
import { agentCall, prepareAgentStep, type AgentPorts, type AgentStep } from "../agent/agent-step.ts";
import type { BudgetPorts } from "../budgets/reserve-call.ts";
import { accountMayDiffer } from "../calls/account-may-differ.ts";
import { askAboutOutcome } from "../calls/ask-about-call.ts";
import { askPeople } from "../calls/ask-people.ts";
import { findAction, findKnownAction, type FoundAction, type NamedCall } from "../calls/find-action.ts";
import { approvedCall, freezeCall } from "../calls/freeze-call.ts";
import { tooOldToRepeat } from "../calls/key-age.ts";
import { intendCall, proposeCall, type NeedsReservation, type ProposingRun } from "../calls/propose-call.ts";
import { nodeFailed } from "../calls/node-failed.ts";
import type { KnownConnection, ResolveConnection } from "../connections/resolved-connection.ts";
import { renderObject, scopeOf } from "../calls/render.ts";

export interface StepPorts extends AgentPorts, BudgetPorts {
  readonly resolveConnection: ResolveConnection;
}

/** Steps that only evaluate expressions and record the result. */
export type InnerStep = Extract<Step, { do: "choose" | "emit" | "finish" | "end" }>;

/** Steps that look up an action of a connection. */
export type ConnectedStep = AgentStep | CallStep;

type CallStep = Extract<Step, { do: "propose" | "intend" | "ask" | "ask_outcome" }>;

/** Performs a step that needs nothing from outside the run, and returns its entry for the journal. */
export function performInnerStep(ports: AgentPorts, state: RunState, step: InnerStep): Entry {
  const atMs = ports.clock.now();
  switch (step.do) {
    case "choose":
      return choose(state, step, atMs);
    case "emit": {
      const { node, visit } = step;
      if (node.emit === undefined) return nodeFailed(node, visit, atMs, { message: "The step has no event to emit." });
      const payload = renderObject(node.emit.data, scopeOf(state), ports.limits, `The event of "${node.id}"`);
      if (!payload.ok) return nodeFailed(node, visit, atMs, payload);
      const event = `custom.${node.emit.name}`;
      return { type: "emitted", atMs, nodeId: node.id, visit, event, payload: payload.value };
    }
    case "finish": {
      const { node } = step;
      const output = renderObject(node.output, scopeOf(state), ports.limits, `The output of "${node.id}"`);
      if (!output.ok) return nodeFailed(node, (state.visits[node.id] ?? 0) + 1, atMs, output);
      return { type: "ended", atMs, nodeId: node.id, result: { status: "completed", output: output.value } };
    }
    case "end":
      return { type: "ended", atMs, nodeId: step.nodeId, result: step.result };
  }
}

/** The action that a step needs; `undefined` where it needs none. */
export async function findActionOf(
  { resolveConnection }: StepPorts,
  { facts }: RunState,
  step: ConnectedStep,
): Promise<FoundAction | undefined> {
  const call = callOf(step);
  return call === undefined ? undefined : await findAction(resolveConnection, facts.environment, call);
}

/** The result of {@link findActionOf} where no storage has to be read; otherwise `undefined`. */
export function knownActionOf(
  known: KnownConnection,
  { facts }: RunState,
  step: ConnectedStep,
): { readonly found: FoundAction | undefined } | undefined {
  const call = callOf(step);
  if (call === undefined) return { found: undefined };
  const found = findKnownAction(known, facts.environment, call);
  return found === undefined ? undefined : { found };
}

/**
 * Prepares a step: renders, freezes and checks it. Writes and sends nothing.
 *
 * @param found - the result of {@link findActionOf}
 * @returns the entry for the journal, or the amounts to reserve first
 */
export function prepareConnectedStep(
  ports: AgentPorts,
  run: ProposingRun,
  step: ConnectedStep,
  found: FoundAction | undefined,
): Entry | NeedsReservation {
  if (step.do === "prompt" || step.do === "judge") return prepareAgentStep(ports, run, step, found);
  const atMs = ports.clock.now();
  const { state } = run;
  if (step.do === "ask") {
    const opened = askPeople(ports, state, step, found, atMs);
    return opened.ok ? opened.entry : nodeFailed(step.node, step.visit, atMs, opened);
  }
  const action = found ?? { ok: false, message: "The call names no action.", code: "action_unavailable" };
  switch (step.do) {
    case "propose":
      return propose(ports, run, step, action, atMs);
    case "intend":
      return intend(ports, run, step, action, atMs);
    case "ask_outcome":
      return askAboutOutcome(ports, state, step, action, atMs, agentFacts(run, step.node, step.intent.frozen));
  }
}

function callOf(step: ConnectedStep): NamedCall | undefined {
  switch (step.do) {
    case "prompt":
    case "judge":
      return agentCall(step);
    case "propose":
      return step.approved?.frozen ?? step.node;
    case "intend":
      return step.call.frozen;
    case "ask":
      return step.covered;
    case "ask_outcome":
      return step.intent.frozen;
  }
}

function choose(state: RunState, { node, visit }: Extract<Step, { do: "choose" }>, atMs: number): Entry {
  const scope = scopeOf(state);
  for (const { name, when } of node.branches) {
    const result = when.evaluate(scope);
    if (!result.ok)
      return nodeFailed(node, visit, atMs, {
        ...result,
        message: `Branch "${name}" of "${node.id}": ${result.message}`,
      });
    if (result.value === true) return { type: "branch_taken", atMs, nodeId: node.id, visit, branch: name };
  }
  return { type: "branch_taken", atMs, nodeId: node.id, visit, branch: node.otherwise };
}

function propose(
  ports: AgentPorts,
  run: ProposingRun,
  { node, visit, approved }: Extract<Step, { do: "propose" }>,
  found: FoundAction,
  atMs: number,
): Entry | NeedsReservation {
  const proposed =
    approved === undefined
      ? freezeCall(ports.limits, run.state, node, found)
      : approvedCall(approved.frozen, approved.digest, found);
  if (!proposed.ok) return nodeFailed(node, visit, atMs, proposed);
  const { call: frozen, action } = proposed;
  const approvedDigest = approved?.digest;
  return proposeCall(ports, run, { node, visit, call: 1, frozen, action, approvedDigest, atMs });
}

/** The entry for a call of unknown outcome that is not repeated, with the reason: mostly the question to people. */
function insteadOf(
  ports: AgentPorts,
  run: ProposingRun,
  cursor: Extract<RunState["cursor"], { at: "backoff" }>,
  found: FoundAction,
  reason: string,
): Entry {
  const { frozen, uncertainReason = "" } = cursor.call;
  const instead = insteadOfRepeating(run.procedure, cursor, `${uncertainReason} ${reason}`);
  if (instead.do === "end") return performInnerStep(ports, run.state, instead);
  const atMs = ports.clock.now();
  return askAboutOutcome(ports, run.state, instead, found, atMs, agentFacts(run, instead.node, frozen));
}

function intend(
  ports: AgentPorts,
  run: ProposingRun,
  { node, visit, call: ready }: Extract<Step, { do: "intend" }>,
  found: FoundAction,
  atMs: number,
): Entry | NeedsReservation {
  const { cursor } = run.state;
  // A person who decided that it is sent again has seen both reasons.
  const doubt =
    ready.waivesKeyAge === true ? undefined : (tooOldToRepeat(ready, atMs, atMs) ?? accountMayDiffer(ready, found));
  if (doubt !== undefined && cursor.at === "backoff") return insteadOf(ports, run, cursor, found, doubt);
  const action = found.ok ? found.action : undefined;
  if (ready.approvedDigest !== undefined) {
    const approved = approvedCall(ready.frozen, ready.approvedDigest, found);
    if (!approved.ok) return nodeFailed(node, visit, atMs, approved);
  }
  const agent = agentFacts(run, node, ready.frozen);
  return intendCall(ports, run, { node, visit, ready, action, atMs, agent });
}
