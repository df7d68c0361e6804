import type { Checker } from "./checker.ts";
import { acknowledgedWrites } from "./acknowledged.ts";
import { wholeJournal } from "./chain.ts";
import { oneResult } from "./results.ts";
import { stateIsFold } from "./state.ts";
import { oneOwner } from "./owner.ts";
import { effects } from "./effects.ts";
import { reviews } from "./reviews.ts";
import { notifications } from "./notifications.ts";
import { deliveries } from "./events.ts";
import { separateEnvironments } from "./environments.ts";
import { noSecret } from "./secrets.ts";
import { lateAnswers } from "./late-answers.ts";
import { triggers } from "./triggers.ts";

/**
 * The invariants that are checked on a snapshot. The chain and the fold of a journal are also checked row by row
 * (`followed-run.ts`). An ended run, a damaged journal and the order of epochs are checked when storage accepts a row
 * (`observed-storage.ts`). The durable intent and the valid lease of a call are checked when the call leaves
 * (`departures.ts`).
 */
export const allCheckers: readonly Checker[] = [
  acknowledgedWrites,
  wholeJournal,
  oneResult,
  stateIsFold,
  oneOwner,
  effects,
  reviews,
  notifications,
  deliveries,
  separateEnvironments,
  noSecret,
  lateAnswers,
  triggers,
];
