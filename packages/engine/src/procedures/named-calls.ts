/** A tool call as a document names it. */
export interface NamedCall {
  /** `""`: the node has no id that is one. */
  readonly nodeId: string;
  readonly connection: string;
  readonly action: string;
}

/** The calls of a document, whatever else is wrong with it. */
export function* namedCalls(document: unknown): Generator<NamedCall> {
  const nodes: unknown = isRecord(document) ? document["nodes"] : undefined;
  if (!Array.isArray(nodes)) return;
  for (const node of nodes as readonly unknown[]) {
    if (!isRecord(node)) continue;
    const { id, connection, action } = node;
    if (typeof connection !== "string" || typeof action !== "string") continue;
    yield { nodeId: typeof id === "string" ? id : "", connection, action };
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
