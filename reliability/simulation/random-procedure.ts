import type { SeededRandom } from "@procedo-testing/faults";
import type { HumanReviewNode, ProcedureDocument, ProcedureEdge, ProcedureNode, ToolCallNode } from "@procedo/contract";
import { ledgerActions, ledgerName } from "./ledger.ts";

/** Roles and people of the simulated company; `starter` starts every run. */
export const approverRole = "approver";
export const starter = "alice";
export const approvers = ["alice", "bob", "carol", "dave"] as const;
export const outsider = "mallory";

/** The largest amount in a run's input. */
export const maxAmount = 9;

/**
 * A document that compiles and whose runs end: a sequence of nodes, and beside it branches, error edges, rejections and
 * loops to any node.
 */
export function randomProcedure(random: SeededRandom, procedureId: string, size: number): ProcedureDocument {
  return random.chance(0.3) ? paymentProcedure(random, procedureId) : rowOfNodes(random, procedureId, size);
}

function documentOf(procedureId: string, nodes: ProcedureNode[], edges: ProcedureEdge[]): ProcedureDocument {
  const amount = { type: "integer", minimum: 0 };
  const input = { type: "object", required: ["amount"], properties: { amount, marker: { type: "string" } } };
  return { schemaVersion: 1, procedureId, name: "Simulated", input, nodes, edges };
}

/**
 * A lookup, an approval, another lookup and a payment. Between the approval and the payment a connection may be
 * replaced; then either exactly the approved call is sent, or none.
 */
function paymentProcedure(random: SeededRandom, procedureId: string): ProcedureDocument {
  const pay: ToolCallNode = {
    ...callNode(random, "pay"),
    action: random.chance(0.8) ? ledgerActions.once : ledgerActions.idempotent,
    arguments: { amount: "{{ input.amount }}", note: "{{ nodes.look.?output.?id }}" },
  };
  if (random.chance(0.5)) pay.guards = guards(random);
  else delete pay.guards;
  const nodes: ProcedureNode[] = [
    { id: "start", kind: "start" },
    { ...callNode(random, "look"), action: ledgerActions.read },
    { ...reviewNode(random, "approve", "look"), covers: "pay" },
    { ...callNode(random, "again", "look"), action: ledgerActions.read },
    pay,
    { id: "done", kind: "end", output: { id: "{{ nodes.pay.?output.?id }}" } },
    { id: "stopped", kind: "end", output: { why: "{{ nodes.pay.?error }}" } },
  ];
  const edges: ProcedureEdge[] = [
    { from: "start", to: "look" },
    { from: "look", to: "approve" },
    { from: "approve", to: "again" },
    { from: "again", to: "pay" },
    { from: "again", branch: "error", to: "pay" },
    { from: "pay", to: "done" },
    { from: "pay", branch: "error", to: "stopped" },
  ];
  if (random.chance(0.4)) edges.push({ from: "pay", branch: "rejected", to: "stopped" });
  return documentOf(procedureId, nodes, edges);
}

function rowOfNodes(random: SeededRandom, procedureId: string, size: number): ProcedureDocument {
  const count = random.between(3, Math.max(3, size));
  const ids = Array.from({ length: count }, (_item, at) => `n${at}`);
  const nodes: ProcedureNode[] = [{ id: "n0", kind: "start" }];
  const edges: ProcedureEdge[] = [{ from: "n0", to: "n1" }];
  for (let at = 1; at < count - 1; at++) {
    const id = `n${at}`;
    const onward = `n${at + 1}`;
    const anywhere = (): string =>
      random.chance(0.7) ? random.pick(ids.slice(at + 1)) : random.pick(ids.slice(Math.max(1, at - 4)));
    const calls = nodes.filter(({ kind }) => kind === "tool_call").map((node) => node.id);
    const earlier = calls.length === 0 ? undefined : random.pick(calls);
    switch (random.pick(["call", "call", "call", "call", "condition", "review"])) {
      case "condition":
        nodes.push({
          id,
          kind: "condition",
          branches: [
            { name: "large", when: `input.amount > ${random.between(0, maxAmount)}` },
            { name: "lucky", when: luckyWhen(random, earlier) },
          ],
          otherwise: "onward",
        });
        edges.push(
          { from: id, branch: "large", to: anywhere() },
          { from: id, branch: "lucky", to: anywhere() },
          { from: id, branch: "onward", to: onward },
        );
        break;
      case "review":
        nodes.push({ ...reviewNode(random, id, earlier) });
        edges.push({ from: id, to: onward });
        break;
      default:
        nodes.push({ ...callNode(random, id, earlier) });
        edges.push({ from: id, to: onward });
        for (const branch of ["error", "rejected"]) {
          if (random.chance(0.4)) edges.push({ from: id, branch, to: anywhere() });
        }
    }
  }
  const last = ids[count - 1] ?? "n1";
  nodes.push({ id: last, kind: "end", output: { amount: "{{ input.amount }}" } });
  coverSome(random, nodes);
  return documentOf(procedureId, nodes, edges);
}

/** A review may cover the next call in the sequence if that call reads only the input. */
function coverSome(random: SeededRandom, nodes: ProcedureNode[]): void {
  for (const [at, node] of nodes.entries()) {
    if (node.kind !== "human_review" || !random.chance(0.6)) continue;
    const call = nodes.slice(at + 1).find(({ kind }) => kind === "tool_call");
    if (call?.kind !== "tool_call") continue;
    call.arguments = { amount: "{{ input.amount }}" };
    node.covers = call.id;
  }
}

/** Depends on the result of an earlier call, if there is one. */
function luckyWhen(random: SeededRandom, call: string | undefined): string {
  return call === undefined ? "false" : `nodes.${call}.?output.?n.orValue(0) > ${random.between(2, 8)}`;
}

function callNode(random: SeededRandom, id: string, reads?: string): ToolCallNode {
  const node: ToolCallNode = {
    id,
    kind: "tool_call",
    connection: ledgerName,
    action: random.pick(Object.values(ledgerActions)),
    arguments:
      reads === undefined
        ? { amount: "{{ input.amount }}" }
        : { amount: "{{ input.amount }}", note: `{{ nodes.${reads}.?output.?id }}` },
    retry: {
      maxAttempts: random.between(1, 4),
      initialDelayMs: random.pick([10, 500]),
      maxDelayMs: random.pick([500, 3_000]),
    },
    timeoutMs: random.pick([100, 500, 2_000]),
  };
  if (random.chance(0.4)) node.onUnknownOutcome = random.pick(["review", "retry", "fail"]);
  if (random.chance(0.25)) node.guards = guards(random);
  if (random.chance(0.25)) node.emit = { name: "done", data: { id: `{{ nodes.${id}.?output.?id }}` } };
  return node;
}

/** One guard or several: a review of one guard must not disable another guard. */
function guards(random: SeededRandom): NonNullable<ToolCallNode["guards"]> {
  return Array.from({ length: random.pick([1, 1, 2, 3]) }, () => ({
    check: `args.amount <= ${random.between(0, maxAmount)}`,
    otherwise: random.pick(["review", "review", "fail"] as const),
  }));
}

/** JSON Schema of the outputs that some reviews require. */
export const outputsSchema = {
  type: "object",
  required: ["ok"],
  properties: { ok: { type: "boolean" } },
  additionalProperties: false,
};

function reviewNode(random: SeededRandom, id: string, reads?: string): HumanReviewNode {
  const node: HumanReviewNode = {
    id,
    kind: "human_review",
    title: "Continue with {{ input.amount }}?",
    data: {
      amount: "{{ input.amount }}",
      ...(reads === undefined ? {} : { seen: `{{ nodes.${reads}.?output.?id }}` }),
    },
    approvals: random.pick([1, 1, 2, 3]),
    excludeStarter: random.chance(0.5),
  };
  if (random.chance(0.5)) node.reviewers = { roles: [approverRole] };
  if (random.chance(0.3)) node.outputs = outputsSchema;
  if (random.chance(0.4)) node.expiresAfter = random.pick(["PT2S", "PT10S", "PT5M"]);
  return node;
}
