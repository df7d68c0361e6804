/** Sums the samples of V8's profilers of time and allocations. Pure. */

/** The position of a profile's node in the code. */
interface CallFrame {
  readonly functionName: string;
  readonly url: string;
  /** Starts from 0. */
  readonly lineNumber: number;
}

/** The used parts of a CPU profile (`Profiler.stop`). */
export interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: CallFrame;
    readonly children?: readonly number[] | undefined;
  }[];
  /** Ids of the nodes at the top of the stack, one per sample. */
  readonly samples: readonly number[];
  /** Microseconds between a sample and the one before it. */
  readonly timeDeltas: readonly number[];
}

/** The used parts of an allocation profile (`HeapProfiler.stopSampling`). */
export interface AllocationNode {
  readonly callFrame: CallFrame;
  /** Bytes that this function itself allocated. */
  readonly selfSize: number;
  readonly children: readonly AllocationNode[];
}

/** A name, its own amount (microseconds or bytes), and its share of the total, 0 to 1. */
export interface Share {
  readonly name: string;
  readonly amount: number;
  readonly share: number;
}

export interface ProfileSummary {
  /** The total without idle time. */
  readonly total: number;
  readonly idle: number;
  /** By function, largest first. */
  readonly functions: readonly Share[];
  /**
   * By package and folder, largest first. Native functions (SQLite, JSON, crypto) count for their callers, with their
   * names, so that "the database" and "the engine's JSON" can be distinguished.
   */
  readonly groups: readonly Share[];
}

/** Self time in microseconds. */
export function summarizeTime(profile: CpuProfile): ProfileSummary {
  const self = new Map<number, number>();
  profile.samples.forEach((id, at) => {
    // The time until the next sample belongs to the current top of stack.
    self.set(id, (self.get(id) ?? 0) + (profile.timeDeltas[at + 1] ?? 0));
  });
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  const sums = createSums();
  const visit = (id: number, caller: string): void => {
    const node = nodes.get(id);
    if (node === undefined) return;
    sums.add(node.callFrame, caller, self.get(id) ?? 0);
    const inner = node.callFrame.url === "" ? caller : moduleOf(node.callFrame.url);
    for (const child of node.children ?? []) visit(child, inner);
  };
  const [root] = profile.nodes;
  if (root !== undefined) visit(root.id, "");
  return sums.summary();
}

/** Allocated bytes, including garbage. */
export function summarizeAllocations(head: AllocationNode): ProfileSummary {
  const sums = createSums();
  const visit = ({ callFrame, selfSize, children }: AllocationNode, caller: string): void => {
    sums.add(callFrame, caller, selfSize);
    for (const child of children) visit(child, callFrame.url === "" ? caller : moduleOf(callFrame.url));
  };
  visit(head, "");
  return sums.summary();
}

/** `caller` is the module of the nearest function up the stack that is not native. */
function createSums() {
  const functions = new Map<string, number>();
  const groups = new Map<string, number>();
  let total = 0;
  let idle = 0;
  const add = (sums: Map<string, number>, name: string, amount: number) =>
    sums.set(name, (sums.get(name) ?? 0) + amount);
  return {
    add: (frame: CallFrame, caller: string, amount: number): void => {
      if (amount === 0) return;
      if (frame.functionName === "(idle)") {
        idle += amount;
        return;
      }
      total += amount;
      add(functions, functionName(frame), amount);
      add(groups, groupOf(frame, caller), amount);
    },
    summary: (): ProfileSummary => ({
      total,
      idle,
      functions: shares(functions, total),
      groups: shares(groups, total),
    }),
  };
}

function shares(sums: ReadonlyMap<string, number>, total: number): Share[] {
  const all = [...sums].map(([name, amount]) => ({ name, amount, share: amount / total }));
  return all.sort((a, b) => b.amount - a.amount);
}

function functionName({ functionName, url, lineNumber }: CallFrame): string {
  const name = functionName === "" ? "(anonymous)" : functionName;
  if (url === "") return name;
  return `${name}  ${url.replace(/^.*\/(?=(packages|benchmarks|node_modules)\/)/, "")}:${lineNumber + 1}`;
}

function groupOf({ functionName, url }: CallFrame, caller: string): string {
  if (url !== "") return moduleOf(url);
  // The runtime's own: (garbage collector), (program).
  if (functionName.startsWith("(")) return functionName;
  return caller === "" ? `native ${functionName}` : `${caller} → native ${functionName}`;
}

/** `…/packages/engine/src/runs/execute.ts` becomes `engine/runs`, a dependency its package, Node's own code `node`. */
function moduleOf(url: string): string {
  // Node strips types with a WebAssembly module when it loads a source file.
  if (url.startsWith("node:") || url.startsWith("wasm:")) return "node";
  const dependency = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1];
  if (dependency !== undefined) return dependency;
  const own = /\/packages\/([^/]+)\/(?:src|dist)\/(?:([^/]+)\/)?/.exec(url);
  if (own !== null) return own[2] === undefined ? `${own[1]}` : `${own[1]}/${own[2]}`;
  return url.includes("/benchmarks/") ? "benchmarks" : url;
}
