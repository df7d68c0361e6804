/**
 * A subject in this fresh process: reads a {@link SubjectOrder} as JSON from its first argument and answers its
 * parent's questions.
 */
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { committedTransactions } from "../database.ts";
import { answerParent } from "./child-process.ts";
import { samplingAnswers } from "./sampling-answers.ts";
import { LOOK_MS, type SubjectFigures, type SubjectOrder } from "./subject-figures.ts";
import { loadSubject } from "./subjects.ts";

const order = JSON.parse(process.argv[2] ?? "null") as SubjectOrder;
const subject = await loadSubject(order.subject);
const { target, database, ended, close } = await subject.listen(order);
/** For a file, whose count is always current; Postgres gets the counts of its sessions when they end. */
const file = database?.kind === "sqlite" ? database.file : undefined;
const commits = async (): Promise<number> => (file === undefined ? 0 : committedTransactions(file));
let cpuBefore = process.cpuUsage();
let commitsBefore = 0;

answerParent(
  target,
  {
    mark: async (): Promise<null> => {
      commitsBefore = await commits();
      cpuBefore = process.cpuUsage();
      return null;
    },
    figures: async (): Promise<SubjectFigures> => {
      const { user, system } = process.cpuUsage(cpuBefore);
      const peakRssMb = process.resourceUsage().maxRSS / 1024;
      return {
        cpuUs: user + system,
        peakRssMb,
        ...(file !== undefined && { commits: (await commits()) - commitsBefore }),
        ...(ended && { ended: ended() }),
      };
    },
    ...samplingAnswers(),
    /** Answers once no more runs end. */
    settled: async (): Promise<number> => {
      for (let before = -1; before !== (ended?.() ?? 0);) {
        before = ended?.() ?? 0;
        await sleep(LOOK_MS);
      }
      return ended?.() ?? 0;
    },
  },
  close,
);
