import type { JsonObject } from "@procedo/contract";
import { sameJson } from "../draft/same-json.ts";
import { nextVersionName } from "../publish/version-name.ts";

/** How a draft comes to run in the sandbox: only published versions run. */
export type TryPlan =
  | {
      /** The draft is this version, which was published. */
      readonly kind: "run";
      readonly version: string;
    }
  | {
      /** The draft is published first. */
      readonly kind: "publish";
      readonly version: string;
      readonly revision: number;
      readonly basedOn: string | undefined;
    }
  | {
      /** The draft cannot be published now. */
      readonly kind: "wait";
      readonly reason: string;
    };

export interface TriedDraft {
  readonly document: JsonObject;
  /** The saved revision; `undefined` while the draft is not saved. */
  readonly revision: number | undefined;
  /** Number of problems that keep it from being published. */
  readonly errors: number;
  readonly newest: { readonly version: string; readonly document: JsonObject } | undefined;
  /** Names of versions that exist. */
  readonly versions: readonly string[];
}

export function tryPlan({ document, revision, errors, newest, versions }: TriedDraft): TryPlan {
  if (newest !== undefined && sameJson(document, newest.document)) return { kind: "run", version: newest.version };
  if (errors > 0) {
    const count = errors === 1 ? "One problem has" : `${errors} problems have`;
    return { kind: "wait", reason: `${count} to be fixed before the draft can be tried.` };
  }
  if (revision === undefined || revision === 0) {
    return { kind: "wait", reason: "The draft can be tried as soon as all changes are saved." };
  }
  const version = nextVersionName(newest?.version, new Set(versions));
  return { kind: "publish", version, revision, basedOn: newest?.version };
}
