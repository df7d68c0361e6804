import type {
  CompiledNode,
  CompiledToolCall,
  Entry,
  ReadyCall,
  RunLimits,
  RunState,
  Scope,
  Step,
  StepError,
} from "@procedo/procedure";
import type { ResolveConnection } from "../connections/resolved-connection.ts";
import { callKey } from "../effects/call-key.ts";
import { findAction, type FoundAction } from "../effects/find-action.ts";
import { approvedCall, freezeCall } from "../effects/freeze-call.ts";
import type { Action } from "../integrations/integration.ts";
import { renderObject, scopeOf } from "../effects/render.ts";
import type { Clock } from "../ports/clock.ts";
import type { Ids } from "../ports/ids.ts";
import { askAboutOutcome, askByGuards, askPeople } from "../reviews/ask.ts";

export interface StepPorts {
  readonly limits: RunLimits;
  readonly resolveConnection: ResolveConnection;
  readonly clock: Clock;
  readonly ids: Ids;
  /** How long after its intent a call may still leave, in milliseconds. */
  readonly sendWindowMs: number;
}

/** Steps that only evaluate and write down. */
export type InnerStep = Extract<Step, { do: "choose" | "emit" | "finish" | "end" }>;

/** Steps that ask a connection for its action. */
export type ConnectedStep = Extract<Step, { do: "propose" | "intend" | "ask" | "ask_outcome" }>;

/** Performs a step that needs nothing from outside, and says what goes into the journal. */
export function performInnerStep(ports: StepPorts, state: RunState, step: InnerStep): Entry {
  const atMs = ports.clock.now();
  switch (step.do) {
    case "choose":
      return choose(state, step, atMs);
    case "emit": {
      const { node, visit } = step;
      if (node.emit === undefined) return raised(node, visit, atMs, { message: "The step has no event to emit." });
      const payload = renderObject(node.emit.data, scopeOf(state), ports.limits, `The event of "${node.id}"`);
      if (!payload.ok) return raised(node, visit, atMs, payload);
      const event = `custom.${node.emit.name}`;
      return { type: "emitted", atMs, nodeId: node.id, visit, event, payload: payload.value };
    }
    case "finish": {
      const { node } = step;
      const output = renderObject(node.output, scopeOf(state), ports.limits, `The output of "${node.id}"`);
      if (!output.ok) return raised(node, (state.visits[node.id] ?? 0) + 1, atMs, output);
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
export function performConnectedStep(ports: StepPorts, state: RunState, step: ConnectedStep): Entry | Promise<Entry> {
  const call = callNamedBy(step);
  if (call === undefined) return performWith(ports, state, step, undefined);
  const found = findAction(ports.resolveConnection, state.facts.environment, call);
  if (!(found instanceof Promise)) return performWith(ports, state, step, found);
  return found.then((action) => performWith(ports, state, step, action));
}

function callNamedBy(step: ConnectedStep): { readonly connection: string; readonly action: string } | undefined {
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

function performWith(ports: StepPorts, state: RunState, step: ConnectedStep, found: FoundAction | undefined): Entry {
  const atMs = ports.clock.now();
  if (step.do === "ask") {
    const asked = askPeople(ports, state, step, found, atMs);
    return asked.ok ? asked.entry : raised(step.node, step.visit, atMs, asked);
  }
  const action = found ?? { ok: false, message: "The call names no action." };
  switch (step.do) {
    case "propose":
      return propose(ports, state, step, action, atMs);
    case "intend":
      return intend(ports, state, step, action, atMs);
    case "ask_outcome":
      return askAboutOutcome(ports, state, step, action, atMs);
  }
}

function choose(state: RunState, { node, visit }: Extract<Step, { do: "choose" }>, atMs: number): Entry {
  const scope = scopeOf(state);
  for (const { name, when } of node.branches) {
    const result = when.evaluate(scope);
    if (!result.ok)
      return raised(node, visit, atMs, { message: `Branch "${name}" of "${node.id}": ${result.message}` });
    if (result.value === true) return { type: "chose", atMs, nodeId: node.id, visit, branch: name };
  }
  return { type: "chose", atMs, nodeId: node.id, visit, branch: node.otherwise };
}

function propose(
  ports: StepPorts,
  state: RunState,
  { node, visit, approved }: Extract<Step, { do: "propose" }>,
  found: FoundAction,
  atMs: number,
): Entry {
  const proposed =
    approved === undefined
      ? freezeCall(ports.limits, state, node, found)
      : approvedCall(approved.frozen, approved.digest, found);
  if (!proposed.ok) return raised(node, visit, atMs, proposed);
  const { call: frozen, action } = proposed;
  const scope: Scope = { ...scopeOf(state), args: frozen.args };
  // All of them, before anybody is asked: an approval of one must not be the end of the others.
  const forPeople: string[] = [];
  for (const { check, otherwise } of node.guards) {
    const result = check.evaluate(scope);
    const name = `Guard "${check.source}" of "${node.id}"`;
    if (!result.ok) return raised(node, visit, atMs, { message: `${name}: ${result.message}` });
    if (result.value === true) continue;
    if (otherwise === "fail") return raised(node, visit, atMs, { message: `${name} does not hold.` });
    forPeople.push(check.source);
  }
  if (forPeople.length > 0) {
    const { startedBy } = state.facts;
    return askByGuards(ports, { node, visit, call: frozen, guards: forPeople, startedBy, atMs });
  }
  const ready = { frozen, call: 1, attempt: 1, ...(approved === undefined ? {} : { approvedDigest: approved.digest }) };
  return intentOf(ports, state, { node, visit, ready, action, atMs });
}

function intend(
  ports: StepPorts,
  state: RunState,
  { node, visit, call: ready }: Extract<Step, { do: "intend" }>,
  found: FoundAction,
  atMs: number,
): Entry {
  const action = found.ok ? found.action : undefined;
  if (ready.approvedDigest !== undefined) {
    const approved = approvedCall(ready.frozen, ready.approvedDigest, found);
    if (!approved.ok) return raised(node, visit, atMs, approved);
  }
  return intentOf(ports, state, { node, visit, ready, action, atMs });
}

function intentOf(
  ports: StepPorts,
  state: RunState,
  planned: {
    readonly node: CompiledToolCall;
    readonly visit: number;
    readonly ready: ReadyCall;
    readonly action: Action | undefined;
    readonly atMs: number;
  },
): Entry {
  const { node, visit, ready, action, atMs } = planned;
  return {
    type: "intent",
    atMs,
    nodeId: node.id,
    visit,
    key: callKey(state.facts.runId, node.id, visit, ready.call),
    ...ready,
    sendByMs: atMs + ports.sendWindowMs,
    timeoutMs: node.timeoutMs ?? action?.timeoutMs ?? defaultTimeoutMs,
  };
}

const defaultTimeoutMs = 60_000;

function raised(
  node: Exclude<CompiledNode, { kind: "start" }>,
  visit: number,
  atMs: number,
  { message, code, details }: StepError,
): Entry {
  const error: StepError = {
    message,
    ...(code === undefined ? {} : { code }),
    ...(details === undefined ? {} : { details }),
  };
  return { type: "raised", atMs, nodeId: node.id, kind: node.kind, visit, error };
}
