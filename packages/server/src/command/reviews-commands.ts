import { randomUUID } from "node:crypto";
import { Option, type Command } from "commander";
import { ProcedoError, reviewStatusSchema, type Environment, type ReviewStatus } from "@procedo/contract";
import { pageAnswer, reviewAnswer, reviewSummary } from "@procedo/http";
import type { CommandContext } from "./command-context.ts";
import { describeReview } from "./describe-review.ts";
import { environmentOption, jsonOption, labels, operator, pageOptions, type PageFlags } from "./options.ts";
import { parseObject } from "./read-input.ts";
import { moment, table } from "./table.ts";

/** `procedo reviews …` */
export function addReviewsCommands(program: Command, context: CommandContext): void {
  const reviews = program.command("reviews").description("Open questions to people, and their decisions.");

  const list = reviews
    .command("list")
    .description("Lists reviews, oldest first. Without --status, lists open ones.")
    .addOption(environmentOption())
    .addOption(new Option("--status <status>", "only those").choices(reviewStatusSchema.options).default("open"))
    .option(
      "--search <text>",
      "only of this id or of the run with this id, and of runs whose reference begins with this",
    )
    .addOption(jsonOption());
  for (const option of pageOptions()) list.addOption(option);
  list.action(async ({ json, ...query }: ListFlags) => {
    await context.withEngine(async (engine) => {
      const { items, nextCursor } = await engine.reviews.list(query);
      if (json) {
        const by = operator();
        const asked = items.map(async (review) => ({
          ...reviewSummary(review),
          mayDecide: await engine.reviews.mayDecide({ review, by }),
        }));
        return context.printJson(pageAnswer({ nextCursor }, await Promise.all(asked)));
      }
      const rows = items.map(({ reviewId, runId, reference = "", kind, openedAtMs, title }) => {
        return [reviewId, runId, reference, kind, moment(openedAtMs), title];
      });
      const heading = ["ID", "RUN", "REFERENCE", "KIND", "REQUESTED", "TITLE"];
      const lines = table(heading, rows, ["REFERENCE"]);
      context.printTable(`There are no reviews with the status ${query.status}.`, lines, nextCursor);
    });
  });

  reviews
    .command("show")
    .description("Shows the question of a review and the call that an approval sends.")
    .argument("<review>", "the review's id")
    .addOption(environmentOption())
    .addOption(jsonOption())
    .action(async (reviewId: string, { environment, json }: { environment: Environment; json?: true }) => {
      await context.withEngine(async (engine) => {
        const review = await engine.reviews.get({ environment, reviewId });
        if (!json) return context.print(...describeReview(review));
        const mayDecide = await engine.reviews.mayDecide({ review, by: operator() });
        context.printJson({ ...reviewAnswer(review), mayDecide });
      });
    });

  reviews
    .command("decide")
    .description("Decides a review as a person.")
    .argument("<review>", "the review's id")
    .option("--approve", "approves, and resumes the run")
    .option("--reject <reason>", "rejects; the run's record keeps the reason")
    .option("--outputs <json>", "with --approve: replaces the review's result")
    .option("--digest <digest>", "of the review as you saw it; a changed review is not decided")
    .requiredOption("--person <name>", "who decides")
    .addOption(
      new Option("--roles <list>", "the roles of this person").argParser(labels).default(["reviewer"], "reviewer"),
    )
    .addOption(environmentOption())
    .addOption(jsonOption())
    .action(async (reviewId: string, flags: DecideFlags) => {
      const { environment, person, reject, outputs } = flags;
      if ((flags.approve === undefined) === (reject === undefined)) {
        throw new ProcedoError("invalid_input", "Give either --approve or --reject with a reason.");
      }
      await context.withEngine(async (engine) => {
        const { runId, digest } = await engine.reviews.get({ environment, reviewId });
        const { status } = await engine.reviews.decide({
          environment,
          runId,
          reviewId,
          reviewDigest: flags.digest ?? digest,
          approved: flags.approve === true,
          ...(outputs === undefined ? {} : { outputs: parseObject(outputs, "--outputs") }),
          ...(reject === undefined ? {} : { rejectionReason: reject }),
          idempotencyKey: randomUUID(),
          by: { ...operator(person), roles: flags.roles },
        });
        if (flags.json) return context.printJson({ success: true, status });
        const done = status === "recorded" ? "approved; more approvals are required" : status;
        context.print(`Review ${reviewId} is ${done}.`);
      });
    });
}

interface ListFlags extends PageFlags {
  readonly environment: Environment;
  readonly status: ReviewStatus;
  readonly search?: string;
}

interface DecideFlags {
  readonly approve?: true;
  readonly reject?: string;
  readonly outputs?: string;
  readonly digest?: string;
  readonly person: string;
  readonly roles: readonly string[];
  readonly environment: Environment;
  readonly json?: true;
}
