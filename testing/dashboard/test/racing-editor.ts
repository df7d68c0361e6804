import { openPage, type Service, type ServicePerson } from "@procedo-testing/dashboard";
import type { BrowserContext, Locator, Page, Request } from "playwright-core";

/** The titles of the two steps of a procedure. Each text that is typed is used once, so that a title tells its author. */
export interface Titles {
  readonly start: string;
  readonly end: string;
}

/** A draft that the service stored. */
export interface Stored {
  readonly revision: number;
  readonly titles: Titles;
  /** `undefined` for the draft with which the race began. */
  readonly by?: RacingEditor;
  /** Whether the person had seen another draft, and chose their own. */
  readonly isChosen: boolean;
}

/** One thing that happened in an editor, in order. */
type Happening =
  | { readonly kind: "shown"; readonly titles: Titles }
  | { readonly kind: "typed"; readonly step: keyof Titles; readonly text: string }
  /** A page was opened, or the person chose between drafts. */
  | { readonly kind: "opened" | "chose" };

/** Titles of the tree, for each state that is rendered: text, because tests are compiled without the browser's types. */
const tellShown = `
  const tell = () => {
    const names = [...document.querySelectorAll("[role=treeitem]")].map((item) => item.getAttribute("aria-label"));
    if (names.length > 0) window.tellShown(names);
  };
  new MutationObserver(tell).observe(document, { subtree: true, childList: true, attributes: true });
`;

/** A person who edits the draft of a procedure in a browser of their own, with what they saw and what was stored. */
export class RacingEditor {
  readonly name: string;
  readonly happenings: Happening[] = [];
  readonly #service: Service;
  readonly #procedureId: string;
  readonly #history: Stored[];
  #page: Page;
  #isOffline = false;
  #losesAnswer = false;
  #chose = false;
  #typed = 0;

  private constructor(name: string, page: Page, { service, procedureId, history }: Race) {
    this.name = name;
    this.#page = page;
    this.#service = service;
    this.#procedureId = procedureId;
    this.#history = history;
  }

  static async open(name: string, person: ServicePerson, race: Race): Promise<RacingEditor> {
    const page = await openPage(race.service, { person });
    const editor = new RacingEditor(name, page, race);
    await editor.#watch(page.context());
    await editor.#open();
    return editor;
  }

  get #tree(): Locator {
    return this.#page.getByRole("tree", { name: "Outline" });
  }

  get #conflict(): Locator {
    return this.#page.getByRole("region", { name: "Conflict" });
  }

  get isOnline(): boolean {
    return !this.#isOffline;
  }

  /** What the page shows now. */
  get shown(): Titles | undefined {
    const last = this.happenings.findLast(({ kind }) => kind === "shown");
    return last?.kind === "shown" ? last.titles : undefined;
  }

  /** Types a new title, unless the person has to choose first. */
  async type(step: keyof Titles): Promise<void> {
    if (await this.hasToChoose()) return;
    const text = `${this.name}${++this.#typed}`;
    const kind = step === "start" ? /^Start/ : /^End/;
    try {
      await this.#page.getByRole("treeitem", { name: kind }).click({ timeout: 20_000 });
      const title = this.#page
        .getByRole("region", { name: "Inspector" })
        .getByRole("textbox", { name: "Title", exact: true });
      this.happenings.push({ kind: "typed", step, text });
      await title.fill(text, { timeout: 20_000 });
    } catch (error) {
      // The question came first.
      if (!(await this.hasToChoose())) throw error;
    }
  }

  async hasToChoose(): Promise<boolean> {
    return (await this.#conflict.count()) > 0;
  }

  /** Answers the question between two drafts, if there is one. */
  async choose(which: "Keep mine" | "Keep theirs"): Promise<void> {
    if (!(await this.hasToChoose())) return;
    this.happenings.push({ kind: "chose" });
    this.#chose = which === "Keep mine";
    await this.#page.getByRole("button", { name: which }).click();
    // Another draft may have come meanwhile, and with it the next question.
    await this.#tree.or(this.#conflict).first().waitFor();
  }

  async setOffline(isOffline: boolean): Promise<void> {
    this.#isOffline = isOffline;
    await this.#page.context().setOffline(isOffline);
  }

  /** The service stores the next save, and its answer does not arrive. */
  loseNextAnswer(): void {
    this.#losesAnswer = true;
  }

  /** Waits until the save has ended in one way or another. */
  async settle(): Promise<void> {
    await this.#page
      .getByRole("status", { name: "Draft" })
      .getByText(/^(All changes saved|Not saved)/)
      .waitFor();
  }

  /** Whether the page says that the service has everything. */
  async isSaved(): Promise<boolean> {
    return (await this.#page.getByRole("status", { name: "Draft" }).getByText("All changes saved").count()) > 0;
  }

  /** The tab ends at once, and another one is opened. Returns whether it offers unsaved work. */
  async crash(work: "Restore my changes" | "Discard them"): Promise<boolean> {
    const context = this.#page.context();
    const next = await context.newPage();
    await this.#page.close();
    this.#page = next;
    await this.setOffline(false);
    return await this.#open(work);
  }

  async #open(work: "Restore my changes" | "Discard them" = "Restore my changes"): Promise<boolean> {
    this.happenings.push({ kind: "opened" });
    await this.#page.goto(`/dashboard/sandbox/procedures/${this.#procedureId}/edit`);
    const kept = this.#page.getByRole("region", { name: "Unsaved changes" });
    await this.#tree.or(kept).or(this.#conflict).first().waitFor();
    if ((await kept.count()) === 0) return false;
    this.happenings.push({ kind: "chose" });
    await this.#page.getByRole("button", { name: work }).click();
    if (work === "Discard them") await this.#page.getByRole("button", { name: "Discard my changes" }).click();
    await this.#tree.or(this.#conflict).first().waitFor();
    return true;
  }

  async #watch(context: BrowserContext): Promise<void> {
    await context.exposeBinding("tellShown", (_source, names: readonly string[]) => {
      const titles = titlesOf(names);
      if (titles === undefined || sameTitles(titles, this.shown)) return;
      this.happenings.push({ kind: "shown", titles });
    });
    await context.addInitScript({ content: tellShown });
    await context.route(/\/draft\?/, async (route) => {
      if (this.#isOffline) return await route.abort("internetdisconnected");
      if (route.request().method() !== "PUT") return await route.continue();
      const body = route.request().postDataJSON() as SentDraft;
      const [isChosen, losesAnswer] = [this.#chose, this.#losesAnswer];
      // Sent from here: a tab that ends would take the answer with it, and the race would not know the stored draft.
      const response = await sentAgain(route.request()).catch(() => undefined);
      if (response?.ok === true) {
        const { revision } = JSON.parse(response.text) as { readonly revision: number };
        this.#history.push({ revision, titles: titlesOfDraft(body), by: this, isChosen });
        [this.#chose, this.#losesAnswer] = [false, false];
      }
      const { ok = false, status = 0, text: answer = "" } = response ?? {};
      const lost = response === undefined ? "connectionrefused" : losesAnswer && ok ? "connectionreset" : undefined;
      const told =
        lost === undefined
          ? route.fulfill({ status, body: answer, contentType: "application/json" })
          : route.abort(lost);
      // The tab may have ended.
      await told.catch(() => undefined);
    });
  }
}

/** Sends a request of the page. */
async function sentAgain(request: Request) {
  const { host: _host, connection: _connection, "content-length": _length, ...headers } = await request.allHeaders();
  const body = request.postData() ?? "";
  const response = await fetch(request.url(), { method: request.method(), headers, body });
  return { ok: response.ok, status: response.status, text: await response.text() };
}

/** The common ground of the editors of one draft. */
export interface Race {
  readonly service: Service;
  readonly procedureId: string;
  /** Each draft that the service stored. */
  readonly history: Stored[];
}

interface SentDraft {
  readonly document: { readonly nodes: readonly { readonly kind: string; readonly title?: string }[] };
}

export function titlesOfDraft({ document }: SentDraft): Titles {
  const titleOf = (kind: string): string => document.nodes.find((node) => node.kind === kind)?.title ?? "";
  return { start: titleOf("start"), end: titleOf("end") };
}

/** `undefined` for a state that is rendered without both steps. */
function titlesOf(names: readonly string[]): Titles | undefined {
  const titleOf = (kind: string): string | undefined =>
    names
      .find((name) => name.startsWith(kind))
      ?.slice(kind.length)
      .replace(/^: /, "")
      .replace(/, has problems$/, "");
  const [start, end] = [titleOf("Start"), titleOf("End")];
  return start === undefined || end === undefined ? undefined : { start, end };
}

export function sameTitles(one: Titles, other: Titles | undefined): boolean {
  return one.start === other?.start && one.end === other.end;
}

/** Faults of an editor: work that left the screen without a choice and was never stored. */
export function lostWork({ name, happenings }: RacingEditor, history: readonly Stored[]): readonly string[] {
  const faults: string[] = [];
  let before: Titles | undefined;
  let typed: { readonly step: keyof Titles; readonly text: string } | undefined;
  for (const happening of happenings) {
    switch (happening.kind) {
      case "typed":
        typed = happening;
        break;
      case "chose":
        before = undefined;
        break;
      case "opened":
        break;
      case "shown": {
        const { titles } = happening;
        const isTyped =
          before !== undefined && typed !== undefined && sameTitles(titles, { ...before, [typed.step]: typed.text });
        const isStored = before === undefined || history.some((stored) => sameTitles(stored.titles, before));
        if (!isTyped && !isStored) {
          faults.push(
            `${name}: ${JSON.stringify(before)} gave way to ${JSON.stringify(titles)}, and was never stored.`,
          );
        }
        before = titles;
      }
    }
  }
  return faults;
}

/** Faults of the history: a draft that its author never saw, or that replaced one that its author never saw. */
export function mixedDrafts(history: readonly Stored[]): readonly string[] {
  return history.flatMap((stored, index) => {
    const { revision, titles, by, isChosen } = stored;
    if (by === undefined) return [];
    const saw = (other: Titles): boolean =>
      by.happenings.some((happening) => happening.kind === "shown" && sameTitles(happening.titles, other));
    const before = history[index - 1];
    const faults: string[] = [];
    if (!saw(titles)) faults.push(`Revision ${revision} by ${by.name} was never shown: ${JSON.stringify(titles)}.`);
    if (before !== undefined && before.revision !== revision - 1)
      faults.push(`Revision ${revision} follows ${before.revision}.`);
    if (before !== undefined && before.by !== by && !isChosen && !saw(before.titles)) {
      faults.push(`Revision ${revision} by ${by.name} replaced ${JSON.stringify(before.titles)}, which was not seen.`);
    }
    return faults;
  });
}
