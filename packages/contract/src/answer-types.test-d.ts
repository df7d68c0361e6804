import { expectTypeOf, it } from "vitest";
import type * as z from "zod";
import type { functionDeclarationSchema, FunctionDeclaration } from "./private-connection-protocol.ts";
import type { problemSchema, DocumentProblem } from "./problems.ts";
import type { reviewDecisionSchema } from "./review-decision.ts";
import type { Review, ReviewDecision, ReviewSummary } from "./review-types.ts";
import type { reviewSchema, reviewSummarySchema } from "./reviews.ts";
import type { cancelRunRequestSchema, runSchema, runSummarySchema } from "./runs.ts";
import type { CancelRunRequest, Run, RunSummary } from "./run-types.ts";
import type { runReplySchema, startRunRequestSchema } from "./start-run.ts";
import type { RunReply, StartRunRequest } from "./start-run-types.ts";
import type { runTriggerSchema, RunTrigger } from "./run-trigger.ts";
import type { triggerProblemSchema, TriggerProblem } from "./triggers.ts";
import type { shownSourceSchema, triggerSourceSchema } from "./trigger-source.ts";
import type { GivenTriggerSource, TriggerSource } from "./trigger-source-types.ts";

it("describes the requests that the schemas accept, field by field", () => {
  expectTypeOf<z.input<typeof startRunRequestSchema>>().toEqualTypeOf<StartRunRequest>();
  expectTypeOf<z.infer<typeof reviewDecisionSchema>>().toEqualTypeOf<ReviewDecision>();
  expectTypeOf<z.infer<typeof cancelRunRequestSchema>>().toEqualTypeOf<CancelRunRequest>();
  expectTypeOf<z.input<typeof functionDeclarationSchema>>().toEqualTypeOf<FunctionDeclaration>();
  expectTypeOf<z.input<typeof triggerSourceSchema>>().toEqualTypeOf<GivenTriggerSource>();
});

it("describes the answers that the schemas read, field by field", () => {
  expectTypeOf<z.infer<typeof runSchema>>().branded.toEqualTypeOf<Run>();
  expectTypeOf<z.infer<typeof runSummarySchema>>().toEqualTypeOf<RunSummary>();
  expectTypeOf<z.infer<typeof runReplySchema>>().toEqualTypeOf<RunReply>();
  expectTypeOf<z.infer<typeof reviewSchema>>().toEqualTypeOf<Review>();
  expectTypeOf<z.infer<typeof reviewSummarySchema>>().toEqualTypeOf<ReviewSummary>();
  expectTypeOf<z.infer<typeof problemSchema>>().toEqualTypeOf<DocumentProblem>();
  expectTypeOf<z.infer<typeof runTriggerSchema>>().toEqualTypeOf<RunTrigger>();
  expectTypeOf<z.infer<typeof triggerProblemSchema>>().toEqualTypeOf<TriggerProblem>();
  expectTypeOf<z.infer<typeof shownSourceSchema>>().toEqualTypeOf<TriggerSource>();
});
