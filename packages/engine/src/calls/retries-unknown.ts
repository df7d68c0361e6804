import type { CompiledToolCall, Intent } from "@procedo/procedure";

/**
 * Whether a call of unknown outcome is made again without a review. The procedure decides, else the action as it was when
 * the call was frozen.
 */
export function retriesUnknown(
  { onUnknownOutcome }: Pick<CompiledToolCall, "onUnknownOutcome">,
  { frozen }: { readonly frozen: Pick<Intent["frozen"], "onUnknownOutcome"> },
): boolean {
  return (onUnknownOutcome ?? frozen.onUnknownOutcome) === "retry";
}
