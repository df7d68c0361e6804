/** Reads a V8 CPU profile (`node --cpu-prof`) and sums where the time went. Pure: files are read by the caller. */

/** The parts of the `.cpuprofile` format that are read here. */
export interface CpuProfile {
  readonly nodes: readonly ProfileNode[];
  /** Ids of the nodes that were on top of the stack, one for each sample. */
  readonly samples: readonly number[];
  /** Microseconds between a sample and the one before it. */
  readonly timeDeltas: readonly number[];
}

interface ProfileNode {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
  readonly children?: readonly number[];
}

/** A name and its share of the time that was not idle. */
export interface Share {
  readonly name: string;
  readonly ms: number;
  /** 0 to 1. */
  readonly share: number;
}

export interface ProfileSummary {
  readonly busyMs: number;
  readonly idleMs: number;
  /** By function, largest first. */
  readonly functions: readonly Share[];
  /**
   * By package and folder, largest first. Native functions (SQLite, JSON, crypto) count for who calls them, with their name,
   * so that "the database" and "the engine's JSON" can be told apart.
   */
  readonly groups: readonly Share[];
}

export function summarizeProfile(profile: CpuProfile): ProfileSummary {
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  const parents = new Map(profile.nodes.flatMap((node) => (node.children ?? []).map((child) => [child, node.id])));
  const selfMs = new Map<number, number>();
  profile.samples.forEach((id, at) => {
    // The time until the next sample belongs to this one's top of stack.
    const ms = (profile.timeDeltas[at + 1] ?? 0) / 1000;
    selfMs.set(id, (selfMs.get(id) ?? 0) + ms);
  });

  const functions = new Map<string, number>();
  const groups = new Map<string, number>();
  let idleMs = 0;
  for (const [id, ms] of selfMs) {
    const frame = nodes.get(id)?.callFrame;
    if (frame === undefined) continue;
    if (frame.functionName === "(idle)") {
      idleMs += ms;
      continue;
    }
    add(functions, functionName(frame), ms);
    add(groups, groupOf(id, nodes, parents), ms);
  }
  const busyMs = [...groups.values()].reduce((sum, ms) => sum + ms, 0);
  return { busyMs, idleMs, functions: shares(functions, busyMs), groups: shares(groups, busyMs) };
}

function add(sums: Map<string, number>, name: string, ms: number): void {
  sums.set(name, (sums.get(name) ?? 0) + ms);
}

function shares(sums: ReadonlyMap<string, number>, busyMs: number): Share[] {
  return [...sums].map(([name, ms]) => ({ name, ms, share: ms / busyMs })).sort((a, b) => b.ms - a.ms);
}

function functionName({ functionName, url, lineNumber }: ProfileNode["callFrame"]): string {
  const name = functionName === "" ? "(anonymous)" : functionName;
  if (url === "") return name;
  return `${name}  ${url.replace(/^.*\/(?=(packages|benchmarks|node_modules)\/)/, "")}:${lineNumber + 1}`;
}

function groupOf(id: number, nodes: ReadonlyMap<number, ProfileNode>, parents: ReadonlyMap<number, number>): string {
  const own = nodes.get(id);
  if (own === undefined) return "(unknown)";
  if (own.callFrame.url !== "") return moduleOf(own.callFrame.url);
  if (own.callFrame.functionName.startsWith("(")) return own.callFrame.functionName;
  let at = parents.get(id);
  while (at !== undefined) {
    const url = nodes.get(at)?.callFrame.url ?? "";
    if (url !== "") return `${moduleOf(url)} → native ${own.callFrame.functionName}`;
    at = parents.get(at);
  }
  return `native ${own.callFrame.functionName}`;
}

/** `…/packages/engine/src/runs/execute.ts` is `engine/runs`, a dependency is its package, Node's own code is `node`. */
function moduleOf(url: string): string {
  // Node strips types by a WebAssembly module when it loads a source file.
  if (url.startsWith("node:") || url.startsWith("wasm:")) return "node";
  const dependency = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1];
  if (dependency !== undefined) return dependency;
  const own = /\/packages\/([^/]+)\/src\/(?:([^/]+)\/)?/.exec(url);
  if (own !== null) return own[2] === undefined ? `${own[1]}` : `${own[1]}/${own[2]}`;
  return url.includes("/benchmarks/") ? "benchmarks" : url;
}
