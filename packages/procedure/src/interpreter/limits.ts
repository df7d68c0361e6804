/** Limits of one run. Reaching a limit ends the run with a message that names it. */
export interface RunLimits {
  /** Visits of nodes. @defaultValue 200 */
  readonly nodeVisits: number;
  /** Calls of actions, retries included. @defaultValue 100 */
  readonly toolCalls: number;
  /** Attempts to ask a model. @defaultValue 50 */
  readonly modelCalls: number;
  /** Tokens of prompts and replies together. @defaultValue 200000 */
  readonly tokens: number;
  /** Bytes of one step's input or output as JSON text. @defaultValue 4 MiB */
  readonly stepBytes: number;
  /** Bytes of the whole journal; in memory, it may take eight times as much. @defaultValue 32 MiB */
  readonly runBytes: number;
  /** Maximum nesting depth of a JSON value. @defaultValue 64 */
  readonly depth: number;
}

/**
 * The default limits of a run: 200 node visits, 100 tool calls, 50 model calls, 200,000 tokens, 4 MiB per step, 32 MiB
 * per run.
 */
export const defaultRunLimits: RunLimits = {
  nodeVisits: 200,
  toolCalls: 100,
  modelCalls: 50,
  tokens: 200_000,
  stepBytes: 4 * 1024 * 1024,
  runBytes: 32 * 1024 * 1024,
  depth: 64,
};
