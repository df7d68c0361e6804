/** A tool call in a document. */
export interface NamedCall {
  /** `""` if the node has no text as its id. */
  readonly nodeId: string;
  readonly connection: string;
  readonly action: string;
}

/** The calls of a document, which may be invalid in other respects. */
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
