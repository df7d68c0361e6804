import { insteadOfRepeating, type Entry, type RunState, type Step } from "@procedo/procedure";
import { agentFacts } from "../agent/agent-facts.ts";
import { performAgentStep, type AgentPorts, type AgentStep } from "../agent/agent-step.ts";
import { askAboutOutcome } from "../calls/ask-about-call.ts";
import { askPeople } from "../calls/ask-people.ts";
import { findAction, type FoundAction, type NamedCall } from "../calls/find-action.ts";
import { approvedCall, freezeCall } from "../calls/freeze-call.ts";
import { tooOldToRepeat } from "../calls/key-age.ts";
import { intendCall, proposeCall, type ProposingRun } from "../calls/propose-call.ts";
import { nodeFailed } from "../calls/node-failed.ts";
import { renderObject, scopeOf } from "../calls/render.ts";

export type StepPorts = AgentPorts;

/** Steps that only evaluate and write down. */
export type InnerStep = Extract<Step, { do: "choose" | "emit" | "finish" | "end" }>;

/** Steps that ask a connection for its action. */
export type ConnectedStep = AgentStep | CallStep;

type CallStep = Extract<Step, { do: "propose" | "intend" | "ask" | "ask_outcome" }>;

/** Performs a step that needs nothing from outside, and says what goes into the journal. */
export function performInnerStep(ports: StepPorts, state: RunState, step: InnerStep): Entry {
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

/**
 * Performs a step up to the next effect: renders, freezes, checks, and says what goes into the journal. At once when the
 * connection that it needs is known.
 */
export function performConnectedStep(ports: StepPorts, run: ProposingRun, step: ConnectedStep): Entry | Promise<Entry> {
  if (step.do === "prompt" || step.do === "judge") return performAgentStep(ports, run, step);
  const call = callNamedBy(step);
  if (call === undefined) return performWith(ports, run, step, undefined);
  const found = findAction(ports.resolveConnection, run.state.facts.environment, call);
  if (!(found instanceof Promise)) return performWith(ports, run, step, found);
  return found.then((action) => performWith(ports, run, step, action));
}

function callNamedBy(step: CallStep): NamedCall | undefined {
  switch (step.do) {
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

function performWith(
  ports: StepPorts,
  run: ProposingRun,
  step: CallStep,
  found: FoundAction | undefined,
): Entry | Promise<Entry> {
  const atMs = ports.clock.now();
  const { state } = run;
  if (step.do === "ask") {
    const asked = askPeople(ports, state, step, found, atMs);
    return asked.ok ? asked.entry : nodeFailed(step.node, step.visit, atMs, asked);
  }
  const action = found ?? { ok: false, message: "The call names no action." };
  switch (step.do) {
    case "propose":
      return propose(ports, run, step, action, atMs);
    case "intend":
      return intend(ports, run, step, action, atMs);
    case "ask_outcome":
      return askAboutOutcome(ports, state, step, action, atMs, agentFacts(run, step.node, step.intent.frozen));
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
  ports: StepPorts,
  run: ProposingRun,
  { node, visit, approved }: Extract<Step, { do: "propose" }>,
  found: FoundAction,
  atMs: number,
): Entry | Promise<Entry> {
  const proposed =
    approved === undefined
      ? freezeCall(ports.limits, run.state, node, found)
      : approvedCall(approved.frozen, approved.digest, found);
  if (!proposed.ok) return nodeFailed(node, visit, atMs, proposed);
  const { call: frozen, action } = proposed;
  const approvedDigest = approved?.digest;
  return proposeCall(ports, run, { node, visit, call: 1, frozen, action, approvedDigest, atMs });
}

function intend(
  ports: StepPorts,
  run: ProposingRun,
  { node, visit, call: ready }: Extract<Step, { do: "intend" }>,
  found: FoundAction,
  atMs: number,
): Entry | Promise<Entry> {
  const { cursor } = run.state;
  const tooOld = ready.waivesKeyAge === true ? undefined : tooOldToRepeat(ready, atMs, atMs);
  if (tooOld !== undefined && cursor.at === "backoff") {
    const instead = insteadOfRepeating(run.procedure, cursor, `${ready.uncertainReason ?? ""} ${tooOld}`);
    if (instead.do === "end") return performInnerStep(ports, run.state, instead);
    return askAboutOutcome(ports, run.state, instead, found, atMs, agentFacts(run, node, ready.frozen));
  }
  const action = found.ok ? found.action : undefined;
  if (ready.approvedDigest !== undefined) {
    const approved = approvedCall(ready.frozen, ready.approvedDigest, found);
    if (!approved.ok) return nodeFailed(node, visit, atMs, approved);
  }
  const agent = agentFacts(run, node, ready.frozen);
  return intendCall(ports, run, { node, visit, ready, action, atMs, agent });
}
