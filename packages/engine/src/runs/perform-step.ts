import type { JsonValue } from "@procedo/contract";
import type { Entry, FrozenCall, RunState, Scope, Step, StepError } from "@procedo/procedure";
import { callKey } from "../effects/call-key.ts";
import { defaultTimeoutMs, freezeCall, type FreezePorts } from "../effects/freeze-call.ts";
import { renderObject, scopeOf } from "../effects/render.ts";
import type { Clock } from "../ports/clock.ts";
import type { Ids } from "../ports/ids.ts";
import { askAboutOutcome, askByGuard, askPeople } from "../reviews/ask.ts";
import { callDigest } from "../reviews/review-row.ts";

export interface StepPorts extends FreezePorts {
  readonly clock: Clock;
  readonly ids: Ids;
  /** How long after its intent a call may still leave, in milliseconds. */
  readonly sendWindowMs: number;
}

/** A step that needs nothing from outside but evaluation. */
export type InnerStep = Extract<
  Step,
  { do: "choose" | "propose" | "intend" | "ask" | "ask_outcome" | "emit" | "finish" | "end" }
>;

/** Performs a step up to the next effect: evaluates, renders, freezes, and says what goes into the journal. */
export async function performStep(ports: StepPorts, state: RunState, step: InnerStep): Promise<Entry> {
  const atMs = ports.clock.now();
  switch (step.do) {
    case "choose":
      return choose(state, step, atMs);
    case "propose":
      return propose(ports, state, step, atMs);
    case "intend":
      return intend(ports, state, step, atMs);
    case "ask": {
      const asked = await askPeople(ports, state, step, atMs);
      return asked.ok ? asked.entry : raised(step.node.id, step.visit, atMs, asked.message);
    }
    case "ask_outcome":
      return askAboutOutcome(ports, step, atMs);
    case "emit": {
      const { node, visit } = step;
      if (node.emit === undefined) return raised(node.id, visit, atMs, "The step has no event to emit.");
      const payload = renderObject(node.emit.data, scopeOf(state), ports.limits, `The event of "${node.id}"`);
      if (!payload.ok) return raised(node.id, visit, atMs, payload.message);
      const event = `custom.${node.emit.name}`;
      return { type: "emitted", atMs, nodeId: node.id, visit, event, payload: payload.value };
    }
    case "finish": {
      const { node } = step;
      const output = renderObject(node.output, scopeOf(state), ports.limits, `The output of "${node.id}"`);
      if (!output.ok) return raised(node.id, (state.visits[node.id] ?? 0) + 1, atMs, output.message);
      return { type: "ended", atMs, nodeId: node.id, result: { status: "completed", output: output.value } };
    }
    case "end":
      return { type: "ended", atMs, nodeId: step.nodeId, result: step.result };
  }
}

function choose(state: RunState, { node, visit }: Extract<Step, { do: "choose" }>, atMs: number): Entry {
  const scope = scopeOf(state);
  for (const { name, when } of node.branches) {
    const result = when.evaluate(scope);
    if (!result.ok) return raised(node.id, visit, atMs, `Branch "${name}" of "${node.id}": ${result.message}`);
    if (result.value === true) return { type: "chose", atMs, nodeId: node.id, visit, branch: name };
  }
  return { type: "chose", atMs, nodeId: node.id, visit, branch: node.otherwise };
}

async function propose(
  ports: StepPorts,
  state: RunState,
  { node, visit, approved }: Extract<Step, { do: "propose" }>,
  atMs: number,
): Promise<Entry> {
  const fail = (message: string, details?: JsonValue): Entry => raised(node.id, visit, atMs, message, details);
  const frozen = await freezeCall(ports, state, node);
  if (!frozen.ok) return fail(frozen.message, frozen.details);
  let call = frozen.call;
  if (approved !== undefined) {
    if (callDigest(approved.frozen) !== approved.digest) {
      return fail("The approved call is not what the reviewer saw. Nothing was sent; the journal has to be examined.");
    }
    if (approved.frozen.revision !== call.revision) {
      return fail(`Action "${node.action}" has changed since the call was approved. Nothing was sent; ask again.`);
    }
    call = approved.frozen;
  }
  const scope: Scope = { ...scopeOf(state), args: call.args };
  for (const guard of node.guards) {
    const result = guard.check.evaluate(scope);
    if (!result.ok) return fail(`Guard "${guard.check.source}" of "${node.id}": ${result.message}`);
    if (result.value === true) continue;
    if (guard.otherwise === "fail") return fail(`Guard "${guard.check.source}" of "${node.id}" does not hold.`);
    return askByGuard(ports, { node, visit, call, guard: guard.check.source, atMs });
  }
  return intentOf(ports, state, { node, visit, call: 1, attempt: 1, frozen: call, timeoutMs: frozen.timeoutMs, atMs });
}

async function intend(
  ports: StepPorts,
  state: RunState,
  { node, visit, call }: Extract<Step, { do: "intend" }>,
  atMs: number,
): Promise<Entry> {
  const connection = await ports.resolveConnection(state.facts.environment, call.frozen.connection);
  const action = connection?.integration.actions.get(call.frozen.action);
  if (call.approvedDigest !== undefined) {
    if (callDigest(call.frozen) !== call.approvedDigest) {
      const message =
        "The approved call is not what the reviewer saw. Nothing was sent; the journal has to be examined.";
      return raised(node.id, visit, atMs, message);
    }
    if (action !== undefined && action.revision !== call.frozen.revision) {
      const message = `Action "${node.action}" has changed since the call was approved. Nothing was sent; ask again.`;
      return raised(node.id, visit, atMs, message);
    }
  }
  const timeoutMs = node.timeoutMs ?? action?.timeoutMs ?? defaultTimeoutMs;
  return intentOf(ports, state, { node, visit, ...call, timeoutMs, atMs });
}

function intentOf(
  ports: StepPorts,
  state: RunState,
  planned: {
    readonly node: { readonly id: string };
    readonly visit: number;
    readonly call: number;
    readonly attempt: number;
    readonly frozen: FrozenCall;
    readonly timeoutMs: number;
    readonly atMs: number;
  },
): Entry {
  const { node, visit, call, attempt, frozen, timeoutMs, atMs } = planned;
  return {
    type: "intent",
    atMs,
    nodeId: node.id,
    visit,
    call,
    attempt,
    key: callKey(state.facts.runId, node.id, visit, call),
    frozen,
    sendByMs: atMs + ports.sendWindowMs,
    timeoutMs,
  };
}

function raised(nodeId: string, visit: number, atMs: number, message: string, details?: JsonValue): Entry {
  const error: StepError = details === undefined ? { message } : { message, details };
  return { type: "raised", atMs, nodeId, visit, error };
}
