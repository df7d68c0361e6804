import type { Checker } from "./checker.ts";
import { acknowledgedWrites } from "./i01-acknowledged.ts";
import { wholeJournal } from "./i02-chain.ts";
import { oneResult } from "./i03-results.ts";
import { stateIsFold } from "./i04-state.ts";
import { oneOwner } from "./i05-owner.ts";
import { effects } from "./i06-effects.ts";
import { reviews } from "./i07-reviews.ts";
import { notifications } from "./i07-notifications.ts";
import { deliveries } from "./i08-events.ts";
import { separateEnvironments } from "./i09-environments.ts";
import { noSecret } from "./i10-secrets.ts";
import { lateAnswers } from "./late-answers.ts";

/**
 * The invariants that are checked on a snapshot. The chain of I2 and the fold of I4 are checked row by row
 * (`followed-run.ts`). I11, I12 and the order of epochs are checked when storage accepts a row (`observed-storage.ts`).
 * The durable intent and the valid lease of a call are checked when the call leaves (`departures.ts`).
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
];
