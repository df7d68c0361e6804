import type { Review } from "../api/models.ts";
import type { Decision } from "./decide.ts";
import type { OutputsForm } from "./use-outputs.ts";

/** What the buttons of a decision need. */
export interface DecisionControls {
  readonly review: Review;
  readonly outputs: OutputsForm | undefined;
  /** Attributes of each button: off while the person may not decide, and described by the reason. */
  readonly shared: { readonly disabled: boolean; readonly "aria-describedby": string | undefined };
  readonly isSending: boolean;
  readonly send: (decision: Decision) => void;
}
