import { openApi, startService, type Service, type ServicePerson } from "@procedo-testing/dashboard";
import { seededRandom, type SeededRandom } from "@procedo-testing/faults";
import { figureOf } from "@procedo-testing/tiers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  lostWork,
  mixedDrafts,
  RacingEditor,
  sameTitles,
  titlesOfDraft,
  type Race,
  type Titles,
} from "./racing-editor.ts";

let service: Service;
let owner: ServicePerson;
let builder: ServicePerson;

beforeAll(async () => {
  service = await startService();
  owner = await service.join("Olga Owner", { sandbox: ["owner"], live: ["owner"] });
  builder = await service.join("Bela Builder", { sandbox: ["builder"], live: ["builder"] });
});

afterAll(async () => {
  await service.stop();
});

describe("two editors, lost networks and answers, crashed tabs and a restarted server lose nothing, and mix nothing", () => {
  const count = figureOf({ commit: 4, nightly: 50, release: 200 });
  const seeds = Array.from({ length: count }, (_, index) => index + 1);
  test.for(seeds)("race %i", async (seed) => {
    expect(await race(seed)).toEqual([]);
  });
});

/** Runs one race, and returns its faults. */
async function race(seed: number): Promise<readonly string[]> {
  const random = seededRandom(seed);
  const call = await openApi(service, owner);
  const procedureId = `race-${seed}`;
  const address = `procedures/${procedureId}`;
  const document = {
    schemaVersion: 1,
    procedureId,
    name: "Raced",
    input: { type: "object", properties: {} },
    nodes: [
      { id: "start", kind: "start", title: "Begun" },
      { id: "done", kind: "end", title: "Ended" },
    ],
    edges: [{ from: "start", to: "done" }],
  };
  await call("PUT", `${address}/draft?environment=sandbox`, { document, revision: 0 });
  const begun = { revision: 1, titles: titlesOfDraft({ document }), isChosen: false };
  const at: Race = { service, procedureId, history: [begun] };
  // Two people, or two tabs of one.
  const editors = [
    await RacingEditor.open("A", owner, at),
    await RacingEditor.open("B", random.chance(0.5) ? owner : builder, at),
  ] as const;
  /** What left the screen in a crash, and was not offered afterwards. */
  const gone: Titles[] = [];
  for (let acts = 0; acts < 12; acts++) {
    const editor = random.pick(editors);
    await editor.choose(random.pick(["Keep mine", "Keep theirs"]));
    await act(editor, random, gone);
  }
  for (const editor of editors) await editor.setOffline(false);
  await allSaved(editors, random);
  const { draft } = await call<{ readonly draft: Parameters<typeof titlesOfDraft>[0] }>(
    "GET",
    `${address}?environment=sandbox`,
  );
  const stored = titlesOfDraft(draft);
  for (const editor of editors) await expect.poll(() => editor.shown).toEqual(stored);
  const { history } = at;
  const last = history.at(-1)?.titles;
  const isStored = (titles: Titles): boolean => history.some((draft) => sameTitles(draft.titles, titles));
  return [
    ...gone.filter((titles) => !isStored(titles)).map((titles) => `A crash lost ${JSON.stringify(titles)}.`),
    ...mixedDrafts(history),
    ...editors.flatMap((editor) => lostWork(editor, history)),
    ...(sameTitles(stored, last)
      ? []
      : [`The draft is ${JSON.stringify(stored)}, and the last one stored was ${JSON.stringify(last)}.`]),
  ];
}

async function act(editor: RacingEditor, random: SeededRandom, gone: Titles[]): Promise<void> {
  const die = random.below(20);
  if (die < 9) await editor.type(random.pick(["start", "end"]));
  else if (die < 12) await editor.setOffline(editor.isOnline);
  else if (die < 14) editor.loseNextAnswer();
  else if (die < 17) await editor.settle();
  else if (die < 19) {
    const { shown } = editor;
    const isOffered = await editor.crash(random.pick(["Restore my changes", "Discard them"]));
    if (!isOffered && shown !== undefined) gone.push(shown);
  } else await service.restart();
}

/** Answers each question until both pages say that everything is saved. */
async function allSaved(editors: readonly RacingEditor[], random: SeededRandom): Promise<void> {
  for (;;) {
    for (const editor of editors) {
      await editor.settle();
      await editor.choose(random.pick(["Keep mine", "Keep theirs"]));
    }
    const saved = await Promise.all(editors.map((editor) => editor.isSaved()));
    if (saved.every(Boolean)) return;
  }
}
