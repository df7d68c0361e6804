import { seededRandom, type SeededRandom } from "@procedo-testing/faults";
import type { NodeReview, ProcedureDocument, ProcedureEdge, ProcedureNode, SumLimit } from "@procedo/contract";
import type { CompileSurroundings } from "@procedo/procedure";

/** A workspace in which every action exists and accepts any arguments, and agents are available. */
export const permissive: CompileSurroundings = {
  model: true,
  connectionMissing: "error",
  action: () => ({ input: { type: "object" } }),
};

/**
 * A valid document: `size` nodes in a row, each leading to the next, so that every node is reached and every path can
 * end; beside that row, branches, error edges and loops lead anywhere.
 */
export function randomProcedure(seed: number, size: number): ProcedureDocument {
  const random = seededRandom(seed);
  const ids = Array.from({ length: Math.max(2, size) }, (_item, at) => `n${at}`);
  const nodes: ProcedureNode[] = [];
  const edges: ProcedureEdge[] = [];
  for (const [at, id] of ids.entries()) {
    const onward = ids[at + 1];
    const anywhere = () => random.pick(ids.slice(1));
    if (at === 0) {
      nodes.push({ id, kind: "start" });
      if (onward !== undefined) edges.push({ from: id, to: onward });
      continue;
    }
    const node = onward === undefined ? endNode(id) : randomNode(random, id, ids);
    nodes.push(node);
    edges.push(...randomEdges(random, node, onward, anywhere));
  }
  coverCalls(random, nodes);
  return {
    schemaVersion: 1,
    procedureId: `random-${seed}`,
    name: "Random",
    input: { type: "object", required: ["amount"], properties: { amount: { type: "number" } } },
    nodes,
    edges,
  };
}

/** Some reviews cover the call to which they lead. */
function coverCalls(random: SeededRandom, nodes: readonly ProcedureNode[]): void {
  for (const [at, node] of nodes.entries()) {
    const following = nodes[at + 1];
    if (node.kind !== "human_review" || following?.kind !== "tool_call") continue;
    if (following.instructions !== undefined) continue;
    if (!random.chance(0.4)) continue;
    node.covers = following.id;
    // The approvers of the call also answer its questions.
    delete following.review;
  }
}

function endNode(id: string): ProcedureNode {
  return { id, kind: "end", output: { amount: "{{ input.amount }}" } };
}

function randomNode(random: SeededRandom, id: string, ids: readonly string[]): ProcedureNode {
  const read = `{{ nodes.${random.pick(ids)}.?output }}`;
  switch (random.below(10)) {
    case 0:
    case 1: {
      const count = 1 + random.below(3);
      if (random.chance(0.4)) return question(random, id, count);
      const branches = Array.from({ length: count }, (_item, at) => ({ name: `b${at}`, when: `input.amount > ${at}` }));
      return { id, kind: "condition", branches, otherwise: "otherwise" };
    }
    case 2:
      return { id, kind: "human_review", title: "Go on with {{ input.amount }}?", data: { read } };
    default: {
      // The arguments of a covered call read no data that exist only after the review.
      const args = random.chance(0.5) ? { amount: "{{ input.amount }}" } : { note: "none" };
      return {
        id,
        kind: "tool_call",
        connection: "ledger",
        action: `action_${random.below(20)}`,
        arguments: args,
        ...(random.chance(0.3) ? agent(random) : {}),
        ...(random.chance(0.15) ? { sumLimits: [sumLimit(random)] } : {}),
        ...(random.chance(0.2) ? { guards: [{ check: "input.amount < 1000", otherwise: "review" as const }] } : {}),
        ...(random.chance(0.2) ? { emit: { name: "done", data: { read } } } : {}),
        ...(random.chance(0.3) ? { onUnknownOutcome: random.pick(["review", "retry", "fail"] as const) } : {}),
        ...(random.chance(0.2) ? { review: whoAnswers(random) } : {}),
      };
    }
  }
}

function question(random: SeededRandom, id: string, count: number): ProcedureNode {
  const asks = random.chance(0.25) ? { review: whoAnswers(random) } : {};
  return {
    id,
    kind: "condition",
    question: "Which one?",
    branches: Array.from({ length: count }, (_item, at) => ({ name: `b${at}`, description: `Number ${at}.` })),
    otherwise: "otherwise",
    ...random.pick([
      {},
      { confidence: { atLeast: 0.8, otherwise: "fail" as const } },
      { confidence: { atLeast: 0.8, otherwise: "review" as const }, ...asks },
    ]),
    ...(random.chance(0.2) ? { budget: { modelCalls: 5 } } : {}),
  };
}

function whoAnswers(random: SeededRandom): NodeReview {
  return {
    ...(random.chance(0.5) ? { reviewers: { roles: ["treasury"] } } : {}),
    ...(random.chance(0.5) ? { approvals: 1 + random.below(3) } : {}),
    excludeStarter: random.chance(0.5),
  };
}

function agent(random: SeededRandom) {
  return {
    instructions: "Do what is right.",
    ...(random.chance(0.5) ? { maxCalls: 2 + random.below(4) } : {}),
    ...(random.chance(0.2) ? { budget: { modelCalls: 20, tokens: 5_000 } } : {}),
  };
}

function sumLimit(random: SeededRandom): SumLimit {
  const limit = {
    name: "amount",
    sum: "args.amount",
    atMost: 1_000,
    otherwise: random.pick(["review", "fail"] as const),
  };
  return random.chance(0.5) ? { ...limit, per: "run" } : { ...limit, per: "day", timeZone: "Europe/Berlin" };
}

function randomEdges(
  random: SeededRandom,
  node: ProcedureNode,
  onward: string | undefined,
  anywhere: () => string,
): ProcedureEdge[] {
  if (onward === undefined) return [];
  const from = node.id;
  switch (node.kind) {
    case "start":
    case "end":
      return [];
    case "condition":
      return [
        ...node.branches.map(({ name }) => ({ from, branch: name, to: anywhere() })),
        { from, branch: "otherwise", to: onward },
      ];
    case "human_review":
      return [{ from, to: onward }];
    case "tool_call":
      return [
        { from, to: onward },
        ...["error", "rejected"].filter(() => random.chance(0.4)).map((branch) => ({ from, branch, to: anywhere() })),
      ];
  }
}
