import type { LucideIcon } from "lucide-react";
import { Activity, CirclePlay, CircleUser, ClipboardCheck, Workflow } from "lucide-react";
import type { Environment, RunSummary } from "../api/models.ts";
import { statusWord } from "../ui/status-word.ts";
import type { Room } from "./rooms.ts";
import type { Found } from "./search-results.ts";

/** A result of the search. */
export interface SearchItem {
  readonly kind: "Run" | "Review" | "Procedure" | "Page";
  readonly title: string;
  readonly detail?: string;
  /** The only environment in which it exists. */
  readonly environment?: Environment;
  readonly address: string;
  readonly icon: LucideIcon;
}

/** Results of one kind, under their heading. */
export interface SearchGroup {
  readonly value: string;
  readonly items: readonly SearchItem[];
}

/** The results for a text, by kind. Kinds without any are left out. */
export function groupsOf(
  found: Found | undefined,
  pages: readonly SearchItem[],
  environment: Environment,
): readonly SearchGroup[] {
  const { runs = [], reviews = [], procedures = [] } = found ?? {};
  const all: readonly SearchGroup[] = [
    { value: "Runs", items: runs.map(runItem) },
    {
      value: "Reviews",
      items: reviews.map((review): SearchItem => ({
        kind: "Review",
        title: review.title,
        detail: [review.procedureId, review.status === "open" ? "Open" : "Closed"].join(" · "),
        environment: review.environment,
        address: `/${review.environment}/reviews/${encodeURIComponent(review.reviewId)}`,
        icon: ClipboardCheck,
      })),
    },
    {
      value: "Procedures",
      items: procedures.map(({ procedureId, name }): SearchItem => ({
        kind: "Procedure",
        title: name,
        detail: procedureId,
        address: `/${environment}/procedures/${encodeURIComponent(procedureId)}`,
        icon: Workflow,
      })),
    },
    { value: "Pages", items: pages },
  ];
  return all.filter(({ items }) => items.length > 0);
}

function runItem(run: RunSummary): SearchItem {
  const { runId, reference, procedureId, environment } = run;
  const isUnknown = run.waitingFor?.reviewKind === "outcome_unknown";
  const status = statusWord(isUnknown ? "outcome_unknown" : run.status);
  return {
    kind: "Run",
    title: reference ?? runId,
    detail: [procedureId, status, ...(reference === undefined ? [] : [runId])].join(" · "),
    environment,
    address: `/${environment}/runs/${encodeURIComponent(runId)}`,
    icon: Activity,
  };
}

/** The pages whose name contains the text. */
export function pagesNamed(
  text: string,
  rooms: readonly Room[],
  environment: Environment,
  mayRun: boolean,
): readonly SearchItem[] {
  const pages: readonly SearchItem[] = [
    ...rooms.map(({ name, to, icon }): SearchItem => ({
      kind: "Page",
      title: name,
      address: to.replace("$environment", environment),
      icon,
    })),
    ...(mayRun
      ? [{ kind: "Page", title: "Start run", address: `/${environment}/runs/new`, icon: CirclePlay } as const]
      : []),
    { kind: "Page", title: "Your account", address: "/account", icon: CircleUser },
  ];
  const wanted = text.trim().toLowerCase();
  return pages.filter(({ title }) => title.toLowerCase().includes(wanted));
}
